const SCHEMES = ['http:', 'https:', 'mailto:']

/** An address that a link in a notebook may lead to, or null: script and data addresses are none. */
export function safeLink(href: string): string | null {
  try {
    return SCHEMES.includes(new URL(href).protocol) ? href : null
  } catch {
    return null
  }
}

/** The address of a picture that a text itself holds, or null: a notebook shows nothing from elsewhere. */
export function heldPicture(href: string): string | null {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/.test(href) ? href : null
}
