import { expect, it } from 'vitest'
import { digest } from '../../../../engine/data/digest.ts'
import { watchedFiles } from '../../../../engine/data/files.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import { PIXELS, picturesBy } from '../../../../engine/data/images/pictures.ts'
import { memoryFiles } from '../memory-files.ts'
import { JPEGS, jpegFile } from './jpeg-files.ts'
import { plainPng, pngFile } from './png-file.ts'

/** PNG files of each colour, one that grows and one that shrinks, and JPEG files. */
const files: Record<string, Uint8Array> = {
  ...Object.fromEntries(Object.keys(JPEGS).map((name) => [`d/${name}.jpg`, jpegFile(name)])),
  'd/grey.png': plainPng(3, 2, 77),
  'd/rgb.png': pngFile({
    ...{ width: 20, height: 11, colour: 2 },
    rows: Array.from({ length: 11 }, (_, y) => Array.from({ length: 60 }, (_, x) => (37 * x * y + 11 * x) % 256)),
  }),
}

it('pixels that are kept by digest are those of this version; raise PIXELS with another digest', async () => {
  const { decodePictures } = picturesBy({ read: memoryFiles(files).read })
  const wanted = Object.entries(files).map(([path, { length }]) => ({
    path: path.slice(2),
    bytes: length,
    digest: null,
  }))
  const { pixels, failed } = await decodePictures('d', wanted, { size: 8, channels: 3, check: false })
  expect(failed.filter((why) => why !== null)).toEqual([])
  expect([PIXELS, digest(pixels).slice(0, 16)]).toEqual(['1-2', '04384c77fe60cabd'])
})

it('a folder tells how far it is read, and stops', async () => {
  const all = Object.fromEntries(
    Array.from({ length: 600 }, (_, i) => [`d/${i % 2 ? 'a' : 'b'}/${i}.png`, plainPng(2, 2, i % 256)]),
  )
  const stop = new AbortController()
  const lines: string[] = []
  const progress = (line: string) => {
    lines.push(line)
    if (line.includes('512 of')) stop.abort()
  }
  const { files: watched, end } = watchedFiles(memoryFiles(all), { signal: stop.signal, progress })
  const opening = imageData.open({ dataset: 'folder', options: { path: 'd', size: 4 } }, watched)
  await expect(opening.then(({ check }) => check?.())).rejects.toThrow('reading was stopped')
  end()
  expect(lines.slice(0, 2)).toEqual(['d: 256 of 600 files read', 'd: 512 of 600 files read'])
  expect(lines.at(-1)).toBe('')
})
