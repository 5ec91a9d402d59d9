import { bytesText, MAX_FILE_MEMORY } from '../../inflate.ts'

/** Raised when the pixels of JPEG files change: it is in the hash of folders that have some. */
export const JPEG_DECODER = 2

export const isJpeg = (file: Uint8Array) => file[0] === 0xff && file[1] === 0xd8

/** Times that a progressive file goes over its pixels; encoders take about ten. */
const MAX_SCANS = 100

const [START, END, SCAN] = [0xd8, 0xd9, 0xda]

/** Kinds of JPEG that are not read, by the marker of their header. */
const OTHERS: Record<number, string> = {
  ...{ 195: 'lossless JPEG', 203: 'lossless JPEG', 201: 'arithmetic coding', 202: 'arithmetic coding' },
  ...Object.fromEntries([0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf].map((marker) => [marker, 'hierarchical JPEG'])),
}

/** What a JPEG file says of its pixels. */
export interface JpegHeader {
  width: number
  height: number
  components: 1 | 3 | 4
  progressive: boolean
  scans: number
}

/** Where a marker is, and its data. */
interface JpegMarker {
  marker: number
  at: number
  from: number
  to: number
}

/**
 * The markers of a JPEG file behind the first. Bytes between segments that belong to none are passed over,
 * as libjpeg does. A segment may end beyond these bytes of the file. ITU-T T.81, B.1
 */
export function* jpegMarkers(file: Uint8Array): Generator<JpegMarker> {
  for (let at = file.indexOf(0xff, 2); at !== -1 && at + 1 < file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1] ?? 0
    if (marker === 0xff) {
      at++ // filling
      continue
    }
    const isBare = marker <= 0x01 || (marker >= 0xd0 && marker <= END)
    const to = at + 2 + (isBare ? 0 : ((file[at + 2] ?? 0) << 8) | (file[at + 3] ?? 0))
    if (marker !== 0) yield { marker, at, from: Math.min(at + 4, to), to } // 0 is data of a scan
    at = to
  }
}

/**
 * The header of a JPEG file. Throws an Error for kinds of JPEG that are not read, for more pixels than fit into
 * `MAX_FILE_MEMORY`, and for more than the bytes of the file can hold.
 */
export function jpegHeader(file: Uint8Array): JpegHeader {
  let frame: ReturnType<typeof frameOf> | undefined
  let scans = 0
  for (const { marker, from, to } of jpegMarkers(file)) {
    if (marker === END) break
    if (marker === START || (frame && marker >= 0xc0 && marker <= 0xc2)) throw new Error('more than one image')
    if (OTHERS[marker]) throw new Error(`${OTHERS[marker]}, expected baseline or progressive JPEG with Huffman coding`)
    if (marker >= 0xc0 && marker <= 0xc2) frame = frameOf(file.subarray(from, to), marker === 0xc2)
    if (marker === SCAN && ++scans > MAX_SCANS) throw new Error(`more than ${MAX_SCANS} scans`)
  }
  if (!frame) throw new Error('no header of a baseline or progressive image')
  if (scans === 0) throw new Error('ends before its pixels')

  const { width, height, components, progressive, blocks } = frame
  // The decoder keeps its pixels until they are copied, and the coefficients where several scans add to them.
  const coefficients = scans > 1 || progressive ? 128 * blocks : 0
  const need = 2 * width * height * components + coefficients + 2 * file.length
  const size = `${width}x${height} pixels take`
  if (need > MAX_FILE_MEMORY)
    throw new Error(`${size} ${bytesText(need)}, expected at most ${bytesText(MAX_FILE_MEMORY)}`)
  // A block has a code for its mean and, in a baseline file, one for the end of the rest: a bit each at least.
  const least = Math.ceil((blocks * (progressive ? 1 : 2)) / 8)
  if (file.length < least) throw new Error(`${size} at least ${least} bytes, the file has ${file.length}`)
  return { width, height, components, progressive, scans }
}

/** What a segment SOF says: B.2.2. `blocks` are those of 8 x 8 samples, of all components. */
function frameOf(data: Uint8Array, progressive: boolean) {
  const [bits = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = data
  if (data.length < 6 + 3 * components || components === 0) throw new Error('truncated in its header')
  const [height, width] = [(h1 << 8) | h0, (w1 << 8) | w0]
  if (bits !== 8) throw new Error(`${bits} bits a sample, expected 8`)
  if (width === 0 || height === 0) throw new Error(`${width}x${height} pixels, expected at least 1x1`)
  if (components !== 1 && components !== 3 && components !== 4)
    throw new Error(`${components} components, expected 1, 3 or 4`)
  const factors = Array.from({ length: components }, (_, i) => data[7 + 3 * i] ?? 0)
  const [across, down] = [factors.map((both) => both >> 4), factors.map((both) => both & 15)]
  const along = (side: number, own: number, all: number[]) => Math.ceil((side * own) / Math.max(1, ...all) / 8)
  const blocks = factors.reduce(
    (sum, _, i) => sum + along(width, across[i] ?? 0, across) * along(height, down[i] ?? 0, down),
    0,
  )
  return { width, height, components, progressive, blocks } as const
}
