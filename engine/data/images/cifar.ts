import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { laterOf } from '../../records/keyed.ts'
import { digest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { checkIndices } from '../indices.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import type { ImageBatch, ImageDataset, Pool, Undivided } from '../types.ts'

const options = z.strictObject({
  /** The folder of the binary version: `cifar-10-batches-bin` or `cifar-100-binary`. */
  path: z.string().min(1),
  /** CIFAR-100 only: its 100 classes or its 20 superclasses. */
  labels: z.enum(['fine', 'coarse']).default('fine'),
})

type Options = z.output<typeof options>

/** CIFAR-10 or CIFAR-100 (Krizhevsky 2009), whichever is in the folder; kept in memory as bytes, about 180 MB. */
export const cifar = namedDataset('cifar', options, openCifar)

interface Variant {
  train: string[]
  test: string[]
  labels: (CifarLabel & { names: string })[]
}

const CIFAR_10: Variant = {
  train: [1, 2, 3, 4, 5].map((i) => `data_batch_${i}.bin`),
  test: ['test_batch.bin'],
  labels: [{ name: 'label', classes: 10, names: 'batches.meta.txt' }],
}
const CIFAR_100: Variant = {
  train: ['train.bin'],
  test: ['test.bin'],
  labels: [
    { name: 'coarse label', classes: 20, names: 'coarse_label_names.txt' },
    { name: 'fine label', classes: 100, names: 'fine_label_names.txt' },
  ],
}

async function openCifar(
  { path, labels }: Options,
  hashed: object,
  files: FileSource,
): Promise<Undivided<ImageDataset>> {
  const present = (await files.list(path)).filter((entry) => entry.kind === 'file').map((entry) => entry.name)
  const variant = findVariant(path, present)
  if (variant === CIFAR_10 && labels === 'coarse') {
    throw new MixlabError('option', 'task.data.labels', `'coarse', expected 'fine' for CIFAR-10 in ${path}`)
  }
  const byte = variant.labels.length === 1 || labels === 'coarse' ? 0 : 1
  const { classes: count, names } = variant.labels[byte] as Variant['labels'][number]
  const classes = present.includes(names)
    ? await readNames(join(path, names), count, files)
    : Array.from({ length: count }, (_, label) => String(label))

  const hashes: string[] = []
  const readAll = async (names: string[]) => {
    const records: Uint8Array[] = []
    for (const name of names) {
      const bytes = await files.read(join(path, name))
      for (const record of parseCifar(bytes, variant.labels, join(path, name))) records.push(record)
      hashes.push(digest(bytes))
    }
    return cifarSplit(records, byte)
  }
  const train = await readAll(variant.train)
  const test = await readAll(variant.test)
  const hash = digest(JSON.stringify(['cifar', labels, classes, hashes, ...laterOf('cifar', hashed)]))
  return { name: 'cifar', classes, shape: CIFAR_SHAPE, hash, train, test }
}

/**
 * CIFAR-10 or CIFAR-100, by the files that are present. Throws MixlabError `data` for neither, for both and for a
 * missing file.
 */
function findVariant(path: string, present: string[]): Variant {
  const fail = (message: string) => new MixlabError('data', path, message)
  const [found, other] = [CIFAR_10, CIFAR_100].filter(({ train, test }) =>
    [...train, ...test].some((name) => present.includes(name)),
  )
  if (!found) throw fail('no CIFAR files, looked for data_batch_1.bin and train.bin')
  if (other) throw fail('files of both CIFAR-10 and CIFAR-100, expected one of them')
  const missing = [...found.train, ...found.test].find((name) => !present.includes(name))
  if (missing) throw fail(`no file ${missing}`)
  return found
}

/** One class name a line; empty lines are passed over. */
async function readNames(path: string, count: number, files: FileSource): Promise<string[]> {
  const lines = new TextDecoder().decode(await files.read(path)).split(/\r?\n/)
  const names = lines.map((line) => line.trim()).filter((line) => line !== '')
  if (names.length !== count) throw new MixlabError('data', path, `${names.length} class names, expected ${count}`)
  return names
}

/** Height, width and channels of every image. */
const CIFAR_SHAPE: [number, number, number] = [32, 32, 3]

const AREA = 32 * 32
const IMAGE = AREA * 3

/** A label byte before each image: which sort of label it is and how many classes that has. */
interface CifarLabel {
  name: 'label' | 'coarse label' | 'fine label'
  classes: number
}

/**
 * The records of a file of CIFAR's binary version, as views of `bytes`: the label bytes, then 3,072 bytes of an image,
 * all of its red, then green, then blue, row by row. Throws MixlabError `data` with `path`, the name of the file, and
 * the offset.
 */
function parseCifar(bytes: Uint8Array, labels: readonly CifarLabel[], path: string): Uint8Array[] {
  const fail = (offset: number, message: string) => new MixlabError('data', path, `offset ${offset}: ${message}`)
  const length = labels.length + IMAGE
  if (bytes.length === 0) throw fail(0, `empty, expected records of ${length} bytes`)
  const rest = bytes.length % length
  if (rest > 0) throw fail(bytes.length - rest, `truncated, have ${rest} bytes of a record of ${length}`)

  return Array.from({ length: bytes.length / length }, (_, i) => {
    const record = bytes.subarray(i * length, (i + 1) * length)
    for (const [k, { name, classes }] of labels.entries()) {
      const label = record[k] ?? 0
      if (label >= classes) throw fail(i * length + k, `${name} ${label}, expected 0..${classes - 1}`)
    }
    return record
  })
}

/** A split made of records, labelled by their byte `label`. */
function cifarSplit(records: readonly Uint8Array[], label: number): Pool<ImageBatch> {
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, records.length)
    const pixels = new Float32Array(indices.length * IMAGE)
    const labels = new Int32Array(indices.length)
    for (let i = 0; i < indices.length; i++) {
      const record = records[indices[i] ?? 0] as Uint8Array
      const planes = record.subarray(record.length - IMAGE)
      labels[i] = record[label] ?? 0
      for (let c = 0; c < 3; c++) {
        for (let j = 0; j < AREA; j++) pixels[i * IMAGE + j * 3 + c] = (planes[c * AREA + j] ?? 0) / 255
      }
    }
    return { pixels, labels }
  }
  return { size: records.length, read, labels: records.map((record) => record[label] ?? 0) }
}
