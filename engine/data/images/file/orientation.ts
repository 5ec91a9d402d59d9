import { strFromU8 } from 'fflate'
import { inflatedStart } from '../../inflate.ts'
import type { Image } from '../resize.ts'
import { jpegMarkers } from './jpeg-file.ts'

/** How a picture lies in its file, 1 (upright) to 8, as EXIF and TIFF number it. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Of a picture as it lies: whether rows and columns change places, then whether columns and rows are reversed. */
const TURNS: Record<Orientation, [swapped: boolean, mirrored: boolean, upsideDown: boolean]> = {
  1: [false, false, false],
  2: [false, true, false],
  3: [false, true, true],
  4: [false, false, true],
  5: [true, false, false],
  6: [true, true, false],
  7: [true, true, true],
  8: [true, false, true],
}

/** The picture as it is meant to be seen. */
export function upright(image: Image, orientation: Orientation): Image {
  if (orientation === 1) return image
  const [swapped, mirrored, upsideDown] = TURNS[orientation]
  const { channels, pixels } = image
  const [width, height] = swapped ? [image.height, image.width] : [image.width, image.height]
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [mirrored ? width - 1 - x : x, upsideDown ? height - 1 - y : y]
      const from = (swapped ? column * image.width + row : row * image.width + column) * channels
      const to = (y * width + x) * channels
      for (let c = 0; c < channels; c++) turned[to + c] = pixels[from + c] as number
    }
  }
  return { width, height, channels, pixels: turned }
}

/**
 * What the EXIF data of a JPEG file, or of a PNG file before its pixels, in a chunk of their own or in a text, say of its orientation: that of the picture, not of
 * a thumbnail. 1 where they say nothing or are malformed; null where that is beyond these first bytes of the file.
 */
export function orientationIn(head: Uint8Array): Orientation | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    return view.getUint16(0) === 0xffd8 ? inJpeg(view, head) : view.getUint32(0) === 0x89504e47 ? inPng(view, head) : 1
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** `Exif` in front of TIFF data, in JPEG followed by two zeros. */
const EXIF = 0x45786966

/** https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf, 4.7: a segment APP1 that begins with `Exif`. */
function inJpeg(view: DataView, head: Uint8Array): Orientation {
  for (const { marker, from, to } of jpegMarkers(head)) {
    if (marker === 0xda || marker === 0xd9) return 1
    if (marker === 0xe1 && to - from >= 6 && view.getUint32(from) === EXIF && view.getUint16(from + 4) === 0)
      return inTiff(view, from + 6, to)
  }
  throw new RangeError('beyond these bytes')
}

/** https://www.w3.org/TR/png-3/#eXIf, which counts more than a text chunk. */
function inPng(view: DataView, head: Uint8Array): Orientation {
  let text: Orientation = 1
  for (let at = 8; ; ) {
    const [length, type] = [view.getUint32(at), strFromU8(head.subarray(at + 4, at + 8), true)]
    const [from, to] = [at + 8, at + 8 + length]
    if (type === 'IDAT' || type === 'IEND') return text
    if (type === 'eXIf') return inTiff(view, from, to)
    if (type.endsWith('Xt') && length > 0) {
      view.getUint8(to - 1) // all of it has to be here
      const found = inText(type, head.subarray(from, to))
      if (found !== 1) text = found
    }
    at = to + 4
  }
}

/** EXIF data of 64 KB at most, in hexadecimal digits. */
const MAX_TEXT = 2 ** 18

/**
 * EXIF data as ImageMagick, exiv2 and ExifTool write them into text: their name, length and bytes in hexadecimal digits.
 * https://exiftool.org/TagNames/PNG.html#TextualData
 */
function inText(type: string, chunk: Uint8Array): Orientation {
  const keyword = chunk.indexOf(0)
  if (!/^Raw profile type (exif|APP1)$/i.test(strFromU8(chunk.subarray(0, Math.max(0, keyword)), true))) return 1
  const text = textOf(type, chunk.subarray(keyword + 1))
  const [, digits = ''] = /^\s*\w+\s+\d+\s+([\da-f\s]+)$/i.exec(text) ?? []
  const bytes = Uint8Array.from(digits.replace(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const view = new DataView(bytes.buffer)
  return inTiff(view, bytes.length > 6 && view.getUint32(0) === EXIF ? 6 : 0, bytes.length)
}

/** The text of a chunk behind its keyword. https://www.w3.org/TR/png-3/#11textinfo */
function textOf(type: string, data: Uint8Array): string {
  if (type === 'tEXt') return strFromU8(data, true)
  const [isZipped, start] = type === 'iTXt' ? [data[0] === 1, data.indexOf(0, data.indexOf(0, 2) + 1) + 1] : [true, 1]
  const text = data.subarray(start)
  try {
    return strFromU8(isZipped ? inflatedStart('zlib', text, MAX_TEXT) : text, true)
  } catch {
    return '' // damaged
  }
}

const [TAG, SHORT, LONG] = [0x0112, 3, 4]

/** The entry of the first directory of TIFF data from `start` to `end`. TIFF 6.0, section 2. */
function inTiff(view: DataView, start: number, end: number): Orientation {
  if (start + 8 > end) return 1
  const order = view.getUint16(start)
  const little = order === 0x4949
  if ((!little && order !== 0x4d4d) || view.getUint16(start + 2, little) !== 42) return 1
  const directory = start + view.getUint32(start + 4, little)
  if (directory + 2 > end) return 1
  const entries = view.getUint16(directory, little)
  for (let at = directory + 2; at < directory + 2 + 12 * entries && at + 12 <= end; at += 12) {
    if (view.getUint16(at, little) !== TAG) continue
    const type = view.getUint16(at + 2, little)
    if (view.getUint32(at + 4, little) !== 1) return 1
    const value = type === SHORT ? view.getUint16(at + 8, little) : type === LONG ? view.getUint32(at + 8, little) : 1
    return value >= 1 && value <= 8 ? (value as Orientation) : 1
  }
  return 1
}
