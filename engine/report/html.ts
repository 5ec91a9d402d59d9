/** A piece of HTML, as opposed to text that is still to be escaped. */
export interface Html {
  html: string
}

type Part = Html | string | number | null | readonly Part[]

/** HTML from a template; what is put in is escaped, unless it is HTML itself. Null is nothing, a list all its parts. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return {
    html: strings.map((text, index) => text + (index < parts.length ? toHtml(parts[index] ?? null) : '')).join(''),
  }
}

/** Text that is HTML already. */
export function raw(text: string): Html {
  return { html: text }
}

function toHtml(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map(toHtml).join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
