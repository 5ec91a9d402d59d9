import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { jpegFile } from '../engine/data/images/jpeg-files.ts'
import { chunk, pngOf } from '../engine/data/images/png-file.ts'
import { inFolder, NotMeasured, type PaceRow, ran, waited } from './pace-row.ts'

// What folders of pictures cost.

const SIDE = 64

/** `mixlab run` on 5,000 files whose run is in the store, beyond what it takes on 20; the twin reads and decodes them. */
function nothingToTrain(name: string, ending: string, picture: (i: number) => Uint8Array): PaceRow {
  let pillow: number | null = null
  return {
    ...{ name, unit: 's', goal: 1 },
    title: `mixlab run on 5,000 ${ending} files of 64 x 64 with nothing to train`,
    ours: () =>
      inFolder(async (root) => {
        for (const [folder, count] of [['all', 5000] as const, ['few', 20] as const])
          writePictures(join(root, folder), count, ending, picture)
        const texts = ['all', 'few'].map((folder) => notebook(folder, 'mixer', '{ patch: 8, dim: 16, depth: 1 }', 1))
        for (const text of texts) await ran(root, text) // trained, once and for all
        const [all = 0, few = 0] = [await ran(root, texts[0] ?? ''), await ran(root, texts[1] ?? '')]
        pillow = pillowSeconds(join(root, 'all'))
        return all - few
      }),
    twin: {
      name: 'Pillow',
      measure: () => {
        if (pillow === null) throw new NotMeasured('no Pillow')
        return pillow
      },
    },
  }
}

/** The share of the first epoch on 10,000 PNG files that training waits; nothing is kept of the pictures before. */
const firstEpoch: PaceRow = {
  ...{ name: 'first-epoch', unit: 'share', goal: 0.05 },
  title: 'waiting in the first epoch on 10,000 PNG files, over 64 MB',
  ours: () =>
    inFolder(async (root) => {
      const steps = Math.floor((10_000 * 0.8 * 0.9) / 64) // an epoch without what is held out for test and validation
      writePictures(join(root, 'd'), 10_000, 'png', pngPicture)
      await ran(root, notebook('d', 'gmlp', '{ patch: 8, dim: 64, ffn: 256, depth: 4 }', steps))
      return waited(root)
    }),
}

function notebook(folder: string, name: string, sizes: string, steps: number): string {
  return `// %% study
import { compare, folder, image, ${name} } from 'mixlab'
export const s = compare('${folder}', {
  task: image({ data: folder({ path: '${folder}', size: ${SIDE} }) }),
  model: ${sizes}, variants: { a: ${name}() }, seeds: 1,
  train: { steps: ${steps}, batch: 64, evalEvery: ${steps}, evalExamples: 64, testExamples: 64 },
})
`
}

function writePictures(folder: string, count: number, ending: string, picture: (i: number) => Uint8Array): void {
  for (let c = 0; c < 5; c++) mkdirSync(join(folder, `class${c}`), { recursive: true })
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `class${i % 5}`, `${i}.${ending}`), picture(i))
}

/** Waves and noise, 8 KB or so, each row with the filter that most writers choose. */
function pngPicture(i: number): Uint8Array {
  const row = 1 + 3 * SIDE
  const values = new Uint8Array(SIDE * row)
  let noise = i + 1
  const value = (at: number, y: number) =>
    Math.floor(128 + 90 * Math.sin((at * (1 + (i % 7))) / 90 + y / (3 + (i % 11))))
  for (let y = 0; y < SIDE; y++) {
    values[y * row] = 1
    let left = [0, 0, 0]
    for (let x = 0; x < 3 * SIDE; x++) {
      noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0
      const own = value(x, y) + (noise >>> 28)
      values[y * row + 1 + x] = own - (left[x % 3] as number)
      left = left.with(x % 3, own)
    }
  }
  return pngOf([SIDE, SIDE, 8, 2], [chunk('IDAT', deflateSync(values, { level: 1 }))])
}

/** A small JPEG file with a comment of its own, as large as one of 64 x 64. */
function jpegPicture(i: number): Uint8Array {
  const file = jpegFile('411')
  const comment = Buffer.alloc(1304, String(crc32(String(i))))
  comment.set([0xff, 0xfe, (comment.length - 2) >> 8, (comment.length - 2) & 255])
  return Buffer.concat([file.subarray(0, 2), comment, file.subarray(2)])
}

function pillowSeconds(folder: string): number | null {
  const script = `
import glob, sys, time
from PIL import Image
begin = time.time()
for path in glob.glob(sys.argv[1] + '/*/*'): Image.open(path).convert('RGB').tobytes()
print(time.time() - begin)`
  const { status, stdout } = spawnSync('/usr/bin/python3', ['-c', script, folder], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : null
}

export const folderRows: PaceRow[] = [
  nothingToTrain('folder-png', 'png', pngPicture),
  nothingToTrain('folder-jpeg', 'jpg', jpegPicture),
  firstEpoch,
]
