import { bytesText, MAX_FILE_MEMORY } from '../../inflate.ts'

/** Times that a progressive file goes over its pixels; encoders take about ten. */
const MAX_SCANS = 100

/** Checks that the pixels of a JPEG file fit into `MAX_FILE_MEMORY` by what its header says. Throws an Error. ITU-T T.81, B.1 */
export function checkJpeg(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let [scans, frames] = [0, 0]
  for (let at = 2; at + 4 <= file.length; ) {
    const marker = file[at] === 0xff ? (file[at + 1] ?? 0) : 0
    if (marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)) {
      at++ // data of a scan, or filling
      continue
    }
    if (marker === 0xd9) break
    if (marker >= 0xc0 && marker <= 0xc2) {
      if (++frames > 1) throw new Error('more than one image')
      checkFrame(view, at)
    }
    if (marker === 0xda && ++scans > MAX_SCANS) throw new Error(`more than ${MAX_SCANS} scans`)
    at += 2 + view.getUint16(at + 2)
  }
  if (frames === 0) throw new Error('no header of a baseline or progressive image')
}

function checkFrame(view: DataView, at: number): void {
  if (at + 10 > view.byteLength) throw new Error('truncated in its header')
  const [height, width, components] = [view.getUint16(at + 5), view.getUint16(at + 7), view.getUint8(at + 9)]
  if (width === 0 || height === 0) throw new Error(`${width}x${height} pixels, expected at least 1x1`)
  if (at + 10 + 3 * components > view.byteLength) throw new Error('truncated in its header')
  const areas = Array.from({ length: components }, (_, i) => {
    const factors = view.getUint8(at + 11 + 3 * i)
    return (factors >> 4) * (factors & 15)
  })
  const samples = areas.reduce((sum, area) => sum + area, 0) / Math.max(1, ...areas)
  // The decoder has a coefficient of 4 bytes per sample, in blocks with a third more, then the samples and the pixels.
  const need = width * height * (7 * samples + 6)
  if (need > MAX_FILE_MEMORY)
    throw new Error(`${width}x${height} pixels take ${bytesText(need)}, expected at most ${bytesText(MAX_FILE_MEMORY)}`)
}
