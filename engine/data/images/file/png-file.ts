import { bytesText, inflatedLength, MAX_FILE_MEMORY } from '../../inflate.ts'
import { joined } from '../../joined.ts'

/** What the pixels of an image are made of; all else in the file, such as profiles and texts, is left out. */
const NEEDED = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

/** Samples of a pixel by colour type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** First column and row of each pass of an interlaced file, and the steps between. */
const PASSES = [
  ...[[0, 0, 8, 8] as const, [4, 0, 8, 8] as const, [0, 4, 4, 8] as const, [2, 0, 4, 4] as const],
  ...[[0, 2, 2, 4] as const, [1, 0, 2, 2] as const, [0, 1, 1, 2] as const],
]

/**
 * The part of a PNG file that its pixels are made of, once its data are known to have the length that the header says, and that
 * to fit into `MAX_FILE_MEMORY`. Throws an Error. https://www.w3.org/TR/png-3/
 */
export function checkedPng(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const header = headerOf(view)
  const parts = [file.subarray(0, 8)]
  const data: Uint8Array[] = []
  for (let at = 8, type = ''; type !== 'IEND'; ) {
    if (at + 12 > file.length) throw new Error('truncated')
    const end = at + 12 + view.getUint32(at)
    type = String.fromCharCode(...file.subarray(at + 4, at + 8))
    if (end > file.length) throw new Error(`truncated in the chunk ${type}`)
    if (type === 'IDAT') data.push(file.subarray(at + 8, end - 4))
    if (NEEDED.includes(type)) parts.push(file.subarray(at, end))
    at = end
  }
  const expected = lengthOf(header)
  const length = inflatedLength('zlib', data, expected)
  if (length > expected) throw new Error(`more than the ${expected} bytes of ${header.width}x${header.height} pixels`)
  return joined(parts)
}

interface Header {
  width: number
  height: number
  /** Bits. */
  pixel: number
  interlaced: boolean
}

function headerOf(view: DataView): Header {
  if (view.byteLength < 33) throw new Error('truncated in its header')
  const [width, height, depth] = [view.getUint32(16), view.getUint32(20), view.getUint8(24)]
  const channels = CHANNELS[view.getUint8(25)]
  if (width === 0 || height === 0) throw new Error(`${width}x${height} pixels, expected at least 1x1`)
  if (channels === undefined) throw new Error(`colour type ${view.getUint8(25)}, expected 0, 2, 3, 4 or 6`)
  const header = { width, height, pixel: channels * depth, interlaced: view.getUint8(28) === 1 }
  // The decoder has the data three times, as they come, together and as rows; then come samples and pixels.
  const need = 3 * lengthOf(header) + 8 * width * height
  if (need > MAX_FILE_MEMORY)
    throw new Error(`${width}x${height} pixels take ${bytesText(need)}, expected at most ${bytesText(MAX_FILE_MEMORY)}`)
  return header
}

/** The bytes of all rows, each with its filter. */
function lengthOf({ width, height, pixel, interlaced }: Header): number {
  const passes = interlaced ? PASSES : [[0, 0, 1, 1] as const]
  return passes.reduce((sum, [x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * pixel) / 8)) : sum
  }, 0)
}
