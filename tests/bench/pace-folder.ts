import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import { openHost } from '../../app/host.ts'
import { jpegFile } from '../engine/data/images/jpeg-files.ts'
import { chunk, pngOf } from '../engine/data/images/png-file.ts'

// What folders of pictures cost: `mixlab run` with nothing to train on 5,000 PNG and JPEG files, and the share of the first
// epoch on 10,000 PNG files (over 64 MB) in which training waits for its batches.
//   node tests/bench/pace-folder.ts [--rounds 3]

/** One round of a quantity: of a share, `seconds` is the share. */
export interface FolderRow {
  name: string
  seconds: number
  unit: 's' | 'share'
  /** What Pillow takes to read and decode the same files, in one thread; null without Pillow. */
  pillow?: number | null
}

const SIDE = 64
const MIXLAB = resolve(import.meta.dirname, '../../app/mixlab.js')

/** `mixlab run` on 5,000 PNG files whose run is in the store, beyond what it takes on 20 files. */
export const pngFolderRow = (): FolderRow => nothingToTrain('png', pngPicture)

/** The same on 5,000 JPEG files. */
export const jpegFolderRow = (): FolderRow => nothingToTrain('jpg', jpegPicture)

/** The share of the first epoch on 10,000 PNG files that training waits; nothing is kept of the pictures before. */
export async function firstEpochRow(): Promise<FolderRow> {
  return inWorkspace(async (root) => {
    const steps = Math.floor((10_000 * 0.8 * 0.9) / 64) // an epoch without what is held out for test and validation
    writePictures(join(root, 'd'), 10_000, 'png', pngPicture)
    run(root, notebook('d', 'gmlp', '{ patch: 8, dim: 64, ffn: 256, depth: 4 }', steps))
    const host = openHost({ workspace: root })
    const [{ id } = { id: 0 }] = await host.listRuns()
    const [waits, all] = await Promise.all(
      ['train/wait_ms', 'train/step_ms'].map(async (metric) => {
        const [series] = await host.readSeries([id], metric)
        return [...(series?.values ?? [])].reduce((sum, value) => sum + value, 0)
      }),
    )
    host.close()
    return { name: 'first epoch on 10,000 PNG files: waiting', seconds: (waits ?? 0) / (all ?? 0), unit: 'share' }
  })
}

function nothingToTrain(ending: string, picture: (i: number) => Uint8Array): FolderRow {
  return inWorkspace((root) => {
    const [all, few] = [join(root, 'all'), join(root, 'few')]
    writePictures(all, 5000, ending, picture)
    writePictures(few, 20, ending, picture)
    const texts = ['all', 'few'].map((name) => notebook(name, 'mixer', '{ patch: 8, dim: 16, depth: 1 }', 1))
    for (const text of texts) run(root, text) // trained, once and for all
    const [seconds = 0, least = 0] = texts.map((text) => run(root, text))
    const name = `nothing to train on 5,000 ${ending.toUpperCase()} files: ${seconds.toFixed(2)} s in all, their share`
    return { name, seconds: seconds - least, unit: 's', pillow: pillowSeconds(all) }
  })
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

/** Seconds that `mixlab run` takes. */
function run(root: string, text: string): number {
  const path = join(root, 'notebook.ts')
  writeFileSync(path, text)
  const at = performance.now()
  const ran = spawnSync(process.execPath, [MIXLAB, 'run', path, '--workspace', root, '--backend', 'simd'])
  if (ran.status !== 0) throw new Error(String(ran.stderr))
  return (performance.now() - at) / 1000
}

function inWorkspace<Value>(work: (root: string) => Value): Value {
  const root = mkdtempSync(join(tmpdir(), 'mixlab-bench-'))
  const end = () => rmSync(root, { recursive: true, force: true })
  const value = work(root)
  if (value instanceof Promise) return value.finally(end) as Value
  end()
  return value
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

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' } } })
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const row of [pngFolderRow, jpegFolderRow, firstEpochRow]) {
      const { name, seconds, unit, pillow } = await row()
      const own = unit === 'share' ? `${(100 * seconds).toFixed(1)}%` : `${seconds.toFixed(2)} s`
      console.log(`${name} ${own}${pillow ? `; Pillow reads and decodes them in ${pillow.toFixed(2)} s` : ''}`)
    }
  }
}
