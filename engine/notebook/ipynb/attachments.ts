import { z } from 'zod'
import type { JupyterCell } from './types.ts'

const bundle = z.record(z.string(), z.unknown())
const content = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join(''))])

/** A text with the attachments of its cell in it, and the names of those that cannot be there. */
export interface Attached {
  source: string
  lost: string[]
  /** What the text shows and the cell does not have. */
  missing: string[]
}

/**
 * Puts the attachments of a cell into its text, as data URLs. A picture that the text does not show follows it, if the
 * text is Markdown.
 */
export function withAttachments(source: string, { attachments, cell_type }: JupyterCell): Attached {
  const lost: string[] = []
  let text = source
  // the longest name first: one may begin with another
  for (const [name, data] of Object.entries(attachments).sort(([a], [b]) => b.length - a.length)) {
    const url = dataUrl(data)
    const before = text
    if (url) for (const written of spellings(name)) text = text.replaceAll(`attachment:${written}`, () => url)
    if (url && text === before && cell_type === 'markdown' && url.startsWith('data:image/')) {
      text = `${text}${text && '\n\n'}![${name.replace(/[[\]\\\r\n]/g, ' ')}](${url})`
    } else if (!url || text === before) lost.push(name)
  }
  const shown = [...text.matchAll(/\]\(<?attachment:([^)>\s]+)/g)].map(([, name = '']) => name)
  const missing = shown.filter((name) => lost.every((other) => !spellings(other).has(name)))
  return { source: text, lost, missing: cell_type === 'markdown' ? [...new Set(missing)] : [] }
}

/** How programs write the name of an attachment in an address. */
function spellings(name: string): Set<string> {
  try {
    const whole = encodeURIComponent(name)
    return new Set([name, encodeURI(name), whole, whole.replaceAll('(', '%28').replaceAll(')', '%29')])
  } catch {
    return new Set([name]) // half a character
  }
}

/** The picture, or else the first, of several forms of an attachment; null where none is a text. */
function dataUrl(data: unknown): string | null {
  const forms = Object.entries(bundle.safeParse(data).data ?? {}).flatMap(([type, value]) => {
    const { success, data } = content.safeParse(value)
    return success && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? [[type, data] as const] : []
  })
  const [type, value] = forms.find(([type]) => type.startsWith('image/')) ?? forms[0] ?? []
  if (type === undefined || value === undefined) return null
  const plain = value.replace(/\s/g, '')
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return `data:${type};base64,${plain}`
  const escaped = encodeURIComponent(value.toWellFormed())
  return `data:${type},${escaped.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll("'", '%27')}`
}
