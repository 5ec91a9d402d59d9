import { encode } from 'fast-png'
import { base64, bytesOfBase64 } from '../data/base64.ts'
import { type Html, html } from './html.ts'
import type { ShownImages } from './output.ts'

/** Small pictures are shown larger, so that pixels can be seen. */
const SMALL = 64

/** A PNG in base 64; `data` has `channels` bytes a pixel, row by row. */
function pngBase64(data: Uint8Array, width: number, height: number, channels: 1 | 3): string {
  return base64(encode({ data, width, height, channels, depth: 8 }))
}

/** Pictures as PNG in base 64; one whose bytes are too few is left out. */
export function imagesPng({ images, width, height, channels }: ShownImages): string[] {
  return images.flatMap((image) => {
    const bytes = bytesOfBase64(image)
    return bytes.length === width * height * channels ? [pngBase64(bytes, width, height, channels)] : []
  })
}

export function imagesHtml(body: ShownImages): Html {
  const { width, height, note } = body
  const scale = Math.max(width, height) <= SMALL ? 2 : 1
  const pictures = imagesPng(body).map(
    (png, index) =>
      html`<img src="data:image/png;base64,${png}" width="${width * scale}" height="${height * scale}" alt="picture ${index + 1}">`,
  )
  return html`<div class="pictures">${pictures}</div>${note && html`<p class="note">${note}</p>`}`
}
