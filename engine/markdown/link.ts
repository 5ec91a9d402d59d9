const SCHEMES = ['http:', 'https:', 'mailto:']

/** An address that a link in a notebook may lead to, or null: script and data addresses are none. */
export function safeLink(href: string): string | null {
  try {
    return SCHEMES.includes(new URL(href).protocol) ? href : null
  } catch {
    return null
  }
}
