/** The bytes of a `data:` URL, in base64 or percent encoding. */
export function bytesOfDataUrl(url: string): Uint8Array {
  const comma = url.indexOf(',')
  const body = url.slice(comma + 1)
  if (!url.slice(0, comma).endsWith(';base64')) return new TextEncoder().encode(decodeURIComponent(body))
  return Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
}
