import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { laterOf } from '../../records/keyed.ts'
import { digest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import type { ImageDataset, Undivided } from '../types.ts'
import { type IdxArray, parseIdx } from './idx-file.ts'
import { splitOf } from './split.ts'

const options = z.strictObject({
  /** The folder that holds the files. */
  path: z.string().min(1),
  /** File names in `path`, where they are not the usual ones. */
  trainImages: z.string().min(1).optional(),
  trainLabels: z.string().min(1).optional(),
  testImages: z.string().min(1).optional(),
  testLabels: z.string().min(1).optional(),
  /** Class names in the order of the labels; without them the classes are the labels themselves. */
  classes: z.array(z.string().min(1)).min(2).optional(),
  /** The share of the training pair that is tested on, where there is no test pair. */
  holdout: z.number().gt(0).lt(1).default(0.2),
  /** Decides which examples are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
})

type Options = z.output<typeof options>

/** MNIST-style IDX files in the folder `path`, gzipped or not: grey images and their labels. */
export const idx = namedDataset('idx', options, openIdx)

type Role = 'trainImages' | 'trainLabels' | 'testImages' | 'testLabels'

const USUAL_NAMES: Record<Role, string> = {
  trainImages: 'train-images-idx3-ubyte',
  trainLabels: 'train-labels-idx1-ubyte',
  testImages: 't10k-images-idx3-ubyte',
  testLabels: 't10k-labels-idx1-ubyte',
}

interface Pair {
  images: IdxArray
  labels: IdxArray
  imagesPath: string
  labelsPath: string
}

async function openIdx(options: Options, hashed: object, files: FileSource): Promise<Undivided<ImageDataset>> {
  const names = (await files.list(options.path)).filter((entry) => entry.kind === 'file').map((entry) => entry.name)
  const find = (role: Role) => {
    const name = options[role] ?? candidates(role).find((candidate) => names.includes(candidate))
    return name === undefined ? null : join(options.path, name)
  }
  const need = (role: Role) => find(role) ?? missing(options.path, role)

  const train = await readPair(need('trainImages'), need('trainLabels'), files)
  const hasTest = find('testImages') !== null || find('testLabels') !== null
  const test = hasTest ? await readPair(need('testImages'), need('testLabels'), files) : null

  const [, height = 0, width = 0] = train.images.shape
  if (test) checkSize(test, `${height}x${width}`)
  const classes = options.classes ?? numbered(train)
  for (const pair of [train, ...(test ? [test] : [])]) checkLabels(pair, classes)

  const everything = Array.from(train.labels.values, (_, i) => i)
  const { kept, held } = test
    ? { kept: everything, held: Array.from(test.labels.values, (_, i) => i) }
    : holdOut(everything, options.holdout, keyOf(options.seed, 'holdout'))
  if (held.length === 0) throw new MixlabError('data', train.imagesPath, '1 example, expected 2 to hold one out')

  const length = height * width
  const share = test ? null : [options.holdout, options.seed]
  return {
    name: 'idx',
    classes,
    shape: [height, width, 1],
    hash: digest(JSON.stringify(['idx', classes, share, hashes(train, test), ...laterOf('idx', hashed)])),
    train: splitOf(bytesOf(train), length, kept),
    test: splitOf(bytesOf(test ?? train), length, held),
  }
}

/** The usual name, with `.` before `idx` too, each plain and gzipped. */
function candidates(role: Role): string[] {
  const name = USUAL_NAMES[role]
  return [name, name.replace('-idx', '.idx')].flatMap((plain) => [plain, `${plain}.gz`])
}

function missing(path: string, role: Role): never {
  throw new MixlabError('data', path, `no file for ${role}, looked for ${candidates(role).join(', ')}`)
}

async function readPair(imagesPath: string, labelsPath: string, files: FileSource): Promise<Pair> {
  const images = parseIdx(await files.read(imagesPath), 3, imagesPath)
  const labels = parseIdx(await files.read(labelsPath), 1, labelsPath)
  if (images.shape[0] !== labels.shape[0]) {
    const [given, expected] = [labels.shape[0], images.shape[0]]
    throw new MixlabError('data', labelsPath, `offset 4: ${given} labels, expected ${expected} as in ${imagesPath}`)
  }
  return { images, labels, imagesPath, labelsPath }
}

function checkSize({ images, imagesPath }: Pair, expected: string): void {
  const size = images.shape.slice(1).join('x')
  if (size === expected) return
  throw new MixlabError('data', imagesPath, `offset 8: images of ${size}, expected ${expected} as in training`)
}

/** The classes 0..highest training label. */
function numbered({ labels, labelsPath }: Pair): string[] {
  const highest = labels.values.reduce((most, label) => Math.max(most, label), 0)
  if (highest === 0) throw new MixlabError('data', labelsPath, 'offset 8: all labels are 0, expected 2 classes or more')
  return Array.from({ length: highest + 1 }, (_, label) => String(label))
}

function checkLabels({ labels, labelsPath }: Pair, classes: string[]): void {
  const wrong = labels.values.findIndex((label) => label >= classes.length)
  if (wrong === -1) return
  const range = `0..${classes.length - 1}`
  throw new MixlabError('data', labelsPath, `offset ${8 + wrong}: label ${labels.values[wrong]}, expected ${range}`)
}

function bytesOf({ images, labels }: Pair) {
  return { pixels: images.values, labels: labels.values }
}

/** Of the unzipped contents with their dimensions, so that the same data has the same hash in any packing. */
function hashes(...pairs: (Pair | null)[]): string[] {
  const arrays = pairs.flatMap((pair) => (pair ? [pair.images, pair.labels] : []))
  return arrays.map(({ shape, values }) => `${shape.join('x')} ${digest(values)}`)
}
