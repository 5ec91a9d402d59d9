import { encode } from 'fast-png'
import { base64, bytesOfBase64 } from '../data/base64.ts'
import { type Html, html } from './html.ts'
import type { ShownHeatmap, ShownImages } from './output.ts'

/** Small pictures are shown larger, so that pixels can be seen. */
const SMALL = 64

type Colour = readonly [number, number, number]

/** Stops of Viridis, and of red over white to blue. */
const VIRIDIS: Colour[] = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]
const RED_BLUE: Colour[] = [
  [178, 24, 43],
  [247, 247, 247],
  [33, 102, 172],
]
const MISSING: Colour = [224, 224, 224]

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

/** A matrix as a picture of one pixel a value, with its range; where values lie on both sides of 0, that is white. */
export function heatmapHtml({ z, title, xLabel, yLabel, note }: ShownHeatmap): Html {
  const [height, width] = [z.length, z[0]?.length ?? 0]
  if (width === 0) return html`<p class="note">no values</p>`
  const values = z.flat().filter((value) => value !== null)
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const diverging = low < 0 && high > 0
  const [from, to] = diverging ? [-Math.max(-low, high), Math.max(-low, high)] : [low, high]
  const pixels = z.flatMap((row) =>
    Array.from({ length: width }, (_, column) => {
      const value = row[column] ?? null
      if (value === null) return MISSING
      return colourAt(diverging ? RED_BLUE : VIRIDIS, to > from ? (value - from) / (to - from) : 0.5)
    }),
  )
  const png = pngBase64(Uint8Array.from(pixels.flat()), width, height, 3)
  const range = values.length > 0 ? `${text(low)} to ${text(high)}` : 'no finite values'
  const words = [`${height} × ${width}`, range, yLabel && `rows: ${yLabel}`, xLabel && `columns: ${xLabel}`, note]
  return html`<figure class="heatmap">${title && html`<figcaption>${title}</figcaption>`}
<img src="data:image/png;base64,${png}" alt="${title ?? 'heatmap'}" style="aspect-ratio: ${width} / ${height}">
<p class="note">${words.filter(Boolean).join(', ')}</p></figure>`
}

function colourAt(stops: Colour[], share: number): Colour {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1)
  const below = Math.min(stops.length - 2, Math.floor(at))
  const [a, b] = [stops[below] ?? MISSING, stops[below + 1] ?? MISSING]
  const mix = (channel: 0 | 1 | 2) => Math.round(a[channel] + (b[channel] - a[channel]) * (at - below))
  return [mix(0), mix(1), mix(2)]
}

function text(value: number): string {
  return String(Number(value.toPrecision(4)))
}
