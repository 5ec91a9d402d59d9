import katex from 'katex'
import { messageOf } from '../../engine/errors.ts'

/** TeX, set; where it is wrong, its source with the reason as title. */
export function Formula({ tex, display }: { tex: string; display: boolean }) {
  const { html, error } = typeset(tex, display)
  if (html === null) {
    return (
      <code className="bad-formula" title={error}>
        {tex}
      </code>
    )
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: KaTeX escapes what it is given and, untrusted, makes no links
  return <span className={display ? 'formula display' : 'formula'} dangerouslySetInnerHTML={{ __html: html }} />
}

function typeset(tex: string, displayMode: boolean): { html: string; error: '' } | { html: null; error: string } {
  try {
    const options = { displayMode, throwOnError: true, trust: false, strict: false, maxSize: 50 } as const
    return { html: katex.renderToString(tex, options), error: '' }
  } catch (error) {
    return { html: null, error: messageOf(error) }
  }
}
