import type { SetMath } from './prose.ts'

/** TeX, set; where it is wrong, its source with the reason as title. */
export function Formula({ tex, display, html, error }: Omit<SetMath, 'type' | 'raw'>) {
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
