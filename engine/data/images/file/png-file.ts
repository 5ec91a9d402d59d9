import { strFromU8 } from 'fflate'
import { bytesText, inflate, MAX_DEFLATE_RATIO, MAX_FILE_MEMORY } from '../../inflate.ts'
import type { Image } from '../resize.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

export const isPng = (file: Uint8Array) => SIGNATURE.every((byte, i) => file[i] === byte)

/** What the pixels of an image are made of; all else in the file, such as profiles and texts, is passed over. */
const NEEDED = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

/** Samples of a pixel by colour type: grey, RGB, palette, grey and alpha, RGBA; and the bits that each may have. */
const COLOURS: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/** First column and row of a pass, and the steps between. */
type Pass = readonly [x: number, y: number, dx: number, dy: number]
const WHOLE: Pass = [0, 0, 1, 1]
const INTERLACED: readonly Pass[] = [
  ...([
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
  ] satisfies Pass[]),
  ...([
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] satisfies Pass[]),
]

interface Header {
  width: number
  height: number
  /** Bits a sample, and samples a pixel. */
  depth: number
  samples: number
  colour: number
  passes: readonly Pass[]
}

/**
 * The pixels of a PNG file: grey with 1 channel, RGB and palettes with 3. Alpha is laid over white, 16 bits are rounded to 8.
 * Throws an Error, also for more pixels than fit into `MAX_FILE_MEMORY`, or than the data of the file can hold.
 * https://www.w3.org/TR/png-3/
 */
export function decodePng(file: Uint8Array): Image {
  const header = headerOf(file)
  const data: Uint8Array[] = []
  const found: Record<string, Uint8Array> = {}
  for (const { type, content } of neededChunks(file)) {
    if (type === 'IDAT') data.push(content)
    else found[type] ??= content
  }
  return pixelsOf(header, inflated(header, data), found.PLTE, found.tRNS)
}

/** The chunks that pixels are made of, checked against their sums. */
function* neededChunks(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  for (let at = 8, type = ''; type !== 'IEND'; ) {
    if (at + 12 > file.length) throw new Error('truncated')
    const end = at + 12 + view.getUint32(at)
    type = strFromU8(file.subarray(at + 4, at + 8), true)
    if (end > file.length) throw new Error(`truncated in the chunk ${type}`)
    if (NEEDED.includes(type)) {
      if (crc32(file.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) throw new Error(`damaged chunk ${type}`)
      yield { type, content: file.subarray(at + 8, end - 4) }
    }
    at = end
  }
}

function headerOf(file: Uint8Array): Header {
  if (file.length < 33 || strFromU8(file.subarray(12, 16), true) !== 'IHDR') throw new Error('truncated in its header')
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const [width, height, depth, colour] = [view.getUint32(16), view.getUint32(20), file[24] ?? 0, file[25] ?? 0]
  const { samples, depths } = COLOURS[colour] ?? { samples: 0, depths: [] }
  if (width === 0 || height === 0) throw new Error(`${width}x${height} pixels, expected at least 1x1`)
  if (samples === 0) throw new Error(`colour type ${colour}, expected 0, 2, 3, 4 or 6`)
  if (!depths.includes(depth)) throw new Error(`${depth} bits a sample, expected ${depths.join(', ')}`)
  if (file[26] !== 0 || file[27] !== 0 || (file[28] ?? 0) > 1)
    throw new Error('an unknown compression, filter or order')
  const header = { width, height, depth, samples, colour, passes: file[28] === 1 ? INTERLACED : [WHOLE] }
  // Inflated data and pixels.
  const need = lengthOf(header) + 3 * width * height
  if (need > MAX_FILE_MEMORY)
    throw new Error(`${width}x${height} pixels take ${bytesText(need)}, expected at most ${bytesText(MAX_FILE_MEMORY)}`)
  return header
}

/** Columns, rows, and bytes a row without its filter, of a pass. */
function extentOf({ width, height, depth, samples }: Header, [x, y, dx, dy]: Pass) {
  const [columns, rows] = [Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))]
  return { columns, rows: columns > 0 ? rows : 0, rowBytes: Math.ceil((columns * depth * samples) / 8) }
}

/** The bytes of all rows, each with its filter. */
function lengthOf(header: Header): number {
  return header.passes.reduce((sum, pass) => {
    const { rows, rowBytes } = extentOf(header, pass)
    return sum + rows * (1 + rowBytes)
  }, 0)
}

/** The inflated data, as long as the header says. */
function inflated(header: Header, data: readonly Uint8Array[]): Uint8Array {
  const size = `${header.width}x${header.height} pixels`
  const length = lengthOf(header)
  const least = Math.ceil(length / MAX_DEFLATE_RATIO)
  const held = data.reduce((sum, part) => sum + part.length, 0)
  if (held < least) throw new Error(`${size} take at least ${least} bytes of data, the file has ${held}`)
  const all = new Uint8Array(length)
  let at = 0
  inflate('zlib', data, (part) => {
    if (at + part.length > length) throw new Error(`more than the ${length} bytes of ${size}`)
    all.set(part, at)
    at += part.length
    return false
  })
  if (at < length) throw new Error('ends within its pixels')
  return all
}

/** Undoes the filter of each row, and puts its pixels into their places. */
function pixelsOf(header: Header, data: Uint8Array, palette?: Uint8Array, transparency?: Uint8Array): Image {
  const { width, height, depth, samples, colour, passes } = header
  const channels = colour === 0 || colour === 4 ? 1 : 3
  const pixels = new Uint8Array(width * height * channels)
  const step = Math.max(1, (depth * samples) >> 3)
  const paint = colour === 3 ? painter(palette, transparency) : overWhite(header, channels, transparency)
  const values = new Uint16Array(samples)
  const asItIs = depth === 8 && samples === channels && colour !== 3 && !transparency && passes.length === 1
  let at = 0
  for (const pass of passes) {
    const { columns, rows, rowBytes } = extentOf(header, pass)
    const [x, y, dx, dy] = pass
    let above = new Uint8Array(rowBytes)
    for (let row = 0; row < rows; row++) {
      const line = data.subarray(at + 1, at + 1 + rowBytes)
      unfilter(data[at] ?? 0, line, above, step)
      above = line as Uint8Array<ArrayBuffer>
      at += 1 + rowBytes
      let to = ((y + row * dy) * width + x) * channels
      if (asItIs) {
        pixels.set(line, to)
        continue
      }
      for (let column = 0; column < columns; column++, to += dx * channels) {
        for (let s = 0, i = column * samples; s < samples; s++, i++) {
          if (depth === 8) values[s] = line[i] ?? 0
          else if (depth === 16) values[s] = ((line[2 * i] ?? 0) << 8) | (line[2 * i + 1] ?? 0)
          else values[s] = ((line[(i * depth) >> 3] ?? 0) >> (8 - depth - ((i * depth) & 7))) & ((1 << depth) - 1)
        }
        paint(values, pixels, to)
      }
    }
  }
  return { width, height, channels, pixels }
}

/** 12.8 of the standard; `above` is the row above as it was before its filter, of zeros for the first. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  const guess = GUESSES[filter]
  if (!guess) throw new Error(`filter ${filter}, expected 0 to 4`)
  guess(line, above, step)
}

/** Adds to each byte of a line what its filter guesses of the bytes before and above, by the number of the filter. */
const GUESSES: ((line: Uint8Array, above: Uint8Array, step: number) => void)[] = [
  () => {},
  (line, _, step) => {
    for (let i = step; i < line.length; i++) line[i] = (line[i] as number) + (line[i - step] as number)
  },
  (line, above) => {
    for (let i = 0; i < line.length; i++) line[i] = (line[i] as number) + (above[i] as number)
  },
  (line, above, step) => {
    for (let i = 0; i < line.length; i++) {
      const left = i < step ? 0 : (line[i - step] as number)
      line[i] = (line[i] as number) + ((left + (above[i] as number)) >> 1)
    }
  },
  (line, above, step) => {
    for (let i = 0; i < line.length; i++) {
      const left = i < step ? 0 : (line[i - step] as number)
      const corner = i < step ? 0 : (above[i - step] as number)
      const up = above[i] as number
      const a = Math.abs(up - corner)
      const b = Math.abs(left - corner)
      const c = Math.abs(left + up - 2 * corner)
      line[i] = (line[i] as number) + (a <= b && a <= c ? left : b <= c ? up : corner)
    }
  },
]

/** Puts a pixel of some samples to a place. */
type Paint = (samples: Uint16Array, pixels: Uint8Array, to: number) => void

/** The colours of a palette, over white. */
function painter(palette: Uint8Array = new Uint8Array(), alphas: Uint8Array = new Uint8Array()): Paint {
  const count = Math.floor(palette.length / 3)
  const colours = Array.from({ length: 3 * count }, (_, i) => {
    const opacity = (alphas[Math.floor(i / 3)] ?? 255) / 255
    return Math.round(255 * (((palette[i] ?? 0) / 255) * opacity + 1 - opacity))
  })
  return (samples, pixels, to) => {
    const index = samples[0] ?? 0
    if (index >= count) throw new Error(`palette index ${index}, expected below ${count}`)
    for (let c = 0; c < 3; c++) pixels[to + c] = colours[3 * index + c] ?? 0
  }
}

/** Samples as 8 bits, over white where there is alpha or one colour is transparent. */
function overWhite({ depth, samples: count }: Header, channels: 1 | 3, transparent?: Uint8Array): Paint {
  const maximum = 2 ** depth - 1
  const hasKey = count === channels && transparent !== undefined && transparent.length >= 2 * channels
  const key = Array.from({ length: hasKey ? channels : 0 }, (_, c) => {
    return ((transparent?.[2 * c] ?? 0) << 8) | (transparent?.[2 * c + 1] ?? 0)
  })
  const isPlain = depth === 8 && count === channels && !hasKey
  return (samples, pixels, to) => {
    let opacity = count > channels ? (samples[channels] ?? 0) / maximum : 1
    if (hasKey && key.every((value, c) => value === samples[c])) opacity = 0
    for (let c = 0; c < channels; c++) {
      const value = samples[c] ?? 0
      pixels[to + c] = isPlain ? value : Math.round(255 * ((value / maximum) * opacity + 1 - opacity))
    }
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1
  return byte
})

/** Annex D of the standard. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}
