/** Red, green and blue of the quarters of a picture: above left and right, below left and right. */
export const QUARTERS = [
  [230, 20, 20] as const,
  [20, 230, 20] as const,
  [20, 20, 230] as const,
  [230, 230, 230] as const,
]

/** Which quarter is seen at each place, of a picture that each orientation turns; by the figure in EXIF 2.3, 4.6.4. */
export const SEEN: Record<number, number[]> = {
  ...{ 1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1] },
  ...{ 5: [0, 2, 1, 3], 6: [2, 0, 3, 1], 7: [3, 1, 2, 0], 8: [1, 3, 0, 2] },
}

export interface Exif {
  order?: 'II' | 'MM'
  orientation: number
  type?: number
  count?: number
  /** Of a second directory, that of a thumbnail. */
  thumbnail?: number
  /** Bytes between the head of the data and their first directory. */
  space?: number
}

/** TIFF data with a directory of three entries, the orientation in the middle. */
export function tiff({ order = 'II', orientation, type = 3, count = 1, thumbnail, space = 0 }: Exif): Uint8Array {
  const little = order === 'II'
  const entries = (own: number) => [
    [0x0110, 2, 1, 0x41] as const,
    [0x0112, type, count, own] as const,
    [0x0213, 3, 1, 1] as const,
  ]
  const bytes = new Uint8Array(8 + space + 2 * (2 + 3 * 12 + 4))
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(order))
  view.setUint16(2, 42, little)
  view.setUint32(4, 8 + space, little)
  let at = 8 + space
  for (const own of thumbnail === undefined ? [orientation] : [orientation, thumbnail]) {
    view.setUint16(at, 3, little)
    for (const [i, [tag, kind, length, value]] of entries(own).entries()) {
      const entry = at + 2 + 12 * i
      view.setUint16(entry, tag, little)
      view.setUint16(entry + 2, kind, little)
      view.setUint32(entry + 4, length, little)
      if (kind === 3) view.setUint16(entry + 8, value, little)
      else view.setUint32(entry + 8, value, little)
    }
    at += 2 + 36
    view.setUint32(at, thumbnail !== undefined && at < 8 + space + 60 ? at + 4 : 0, little)
    at += 4
  }
  return bytes
}

/** A segment of a JPEG file. */
export function segment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2
  return Uint8Array.of(0xff, marker, length >> 8, length & 255, ...data)
}

/** The segment APP1 with EXIF data. */
export const exifSegment = (data: Uint8Array) => segment(0xe1, Uint8Array.of(0x45, 0x78, 0x69, 0x66, 0, 0, ...data))

/** A JPEG file with segments behind its first two bytes. */
export const withSegments = (jpeg: Uint8Array, ...segments: Uint8Array[]) =>
  Uint8Array.of(...jpeg.subarray(0, 2), ...segments.flatMap((each) => [...each]), ...jpeg.subarray(2))
