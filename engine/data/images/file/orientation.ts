import type { Image } from '../resize.ts'

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
 * What the EXIF data of a JPEG file, or of a PNG file before its pixels, say of its orientation: that of the picture, not of
 * a thumbnail. 1 where they say nothing or are malformed; null where that is beyond these first bytes of the file.
 */
export function orientationIn(head: Uint8Array): Orientation | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    return view.getUint16(0) === 0xffd8 ? inJpeg(view) : view.getUint32(0) === 0x89504e47 ? inPng(view) : 1
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const EXIF = 0x45786966
const [EXIF_CHUNK, IMAGE_DATA, IMAGE_END] = [0x65584966, 0x49444154, 0x49454e44]

/** https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf, 4.7: a segment APP1 that begins with `Exif`. */
function inJpeg(view: DataView): Orientation {
  for (let at = 2; ; ) {
    const marker = view.getUint16(at)
    if (marker === 0xffff) {
      at++ // filling
      continue
    }
    if (marker < 0xffc0 || marker === 0xffda || marker === 0xffd9) return 1
    const length = view.getUint16(at + 2)
    if (length < 2) return 1
    if (marker === 0xffe1 && length >= 8 && view.getUint32(at + 4) === EXIF && view.getUint16(at + 8) === 0)
      return inTiff(view, at + 10, at + 2 + length)
    at += 2 + length
  }
}

/** https://www.w3.org/TR/png-3/#eXIf */
function inPng(view: DataView): Orientation {
  for (let at = 8; ; ) {
    const [length, type] = [view.getUint32(at), view.getUint32(at + 4)]
    if (type === EXIF_CHUNK) return inTiff(view, at + 8, at + 8 + length)
    if (type === IMAGE_DATA || type === IMAGE_END) return 1
    at += 12 + length
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
