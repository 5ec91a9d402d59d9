import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import { type DataReference, openLook } from '../../../engine/datacard/look.ts'
import * as mixlab from '../../../engine/index.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import { memoryFiles } from '../data/memory-files.ts'

beforeAll(async () => {
  await tf.setBackend('cpu')
})

const NOTEBOOK = `// %% words
export const size = 8

// %% data
import { dataset } from 'mixlab'
export const dots = dataset('dots', {
  train: 12, test: 4, shape: { image: [size, size, 1] }, classes: ['dark', 'light'],
  make: (random) => {
    const label = random.balanced('label', 2)
    return { image: new Float32Array(size * size).fill(label), label }
  },
})

// %% study
import { compare, image, mixer } from 'mixlab'
export const which = compare('which', {
  task: image({ data: dots }),
  model: { patch: 4, dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 2, batch: 6, labelSmoothing: 0.1 },
})

// %% broken
throw new Error('is not asked for')
`

const look = () => openLook(memoryFiles({}), { mixlab, '@tensorflow/tfjs': tf }, (work) => work())

describe('data that are looked at', () => {
  it('are those of a study of a notebook, with its recipe; no other cell is run', async () => {
    const { card, batch } = await look()(
      { notebook: NOTEBOOK, of: 'which' },
      { card: true, batch: { seed: 1, step: 0, count: 9 } },
    )
    expect(card).toMatchObject({ name: 'dots', source: 'a cell of the notebook', task: 'image' })
    expect(batch).toMatchObject({
      title: '6 of 6 examples of the batch of step 0, seed 1',
      notes: ['The recipe changes training batches: label smoothing 0.1.'],
    })
  })
  it('are a data set of a notebook', async () => {
    const { card } = await look()({ notebook: NOTEBOOK, of: 'dots' }, { card: true })
    expect(card?.splits.map(({ size }) => size)).toEqual([12, 1, 4])
  })
  it('are those of a run, with its recipe', async () => {
    const task = { task: 'image', options: { data: { dataset: 'shapes', options: { train: 20, test: 8, size: 16 } } } }
    const model = { block: 'mixer', code: 'built in' }
    const spec = { numerics: 1, data: '', model, train: { steps: 2, batch: 4, mixup: 0.3 }, seed: 1, task }
    const run = { id: 3, key: 'k', study: 's', variant: 'v', seed: 1, spec } as unknown as StoredRunDetails
    const { card, batch } = await look()({ run }, { card: true, batch: { seed: 1, step: 0, count: 2 } })
    expect(card?.expression).toBe('shapes({ train: 20, test: 8, size: 16 })')
    expect(batch?.title).toBe('2 of 4 examples of the batch of step 0, seed 1')
    expect(batch?.notes).toEqual(['The recipe changes training batches: mixup 0.3.'])
  })
  it('stay open from one question to the next', async () => {
    let reads = 0
    const files = memoryFiles({
      'book/a.txt': `${'a line of a book that is long enough to be told from others\n'.repeat(90)}`,
    })
    const counted: FileSource = {
      list: files.list,
      read: (...given) => {
        reads += 1
        return files.read(...given)
      },
    }
    const ask = openLook(counted, { mixlab }, (work) => work())
    const book: DataReference = { name: "textFiles({ path: 'book' })" }
    await ask(book, { samples: { seed: 0, from: 0, count: 1 } })
    const once = reads
    await ask(book, { samples: { seed: 0, from: 0, count: 1 } })
    expect(reads - once).toBeLessThan(3) // the piece that is shown
  })
})

it.each<[string, DataReference, string | undefined, string]>([
  [
    'an unknown name of a notebook',
    { notebook: NOTEBOOK, of: 'witch' },
    undefined,
    'witch: no study or data set of this name (known: dots, which)',
  ],
  ['an unknown data set', { name: 'shapse' }, undefined, "data: unknown data set 'shapse' (did you mean 'shapes'?)"],
  [
    'an unknown option',
    { name: 'shapes({ sise: 3 })' },
    undefined,
    "task.data: unknown option 'sise' (did you mean 'size'?)",
  ],
  [
    'an unknown task',
    { name: 'shapes', task: 'pictures' },
    undefined,
    "task: unknown task 'pictures' (known: image, points, sequence, pair, span, mlm, clm, segment, forecast, regression)",
  ],
  [
    'a recipe that is none',
    { name: 'shapes' },
    '{ mixup: ',
    "recipe: '{ mixup: ' cannot be read: Unexpected token (1:9)",
  ],
  [
    'an unknown option of a recipe',
    { name: 'shapes' },
    '{ mixupp: 1 }',
    "train: unknown option 'mixupp' (did you mean 'mixup'?)",
  ],
  [
    'data that are not there',
    { name: 'mnist' },
    undefined,
    "mnist: not downloaded to data/mnist: run 'mixlab data mnist' in the workspace",
  ],
])('refuses %s', async (_, reference, recipe, message) => {
  const batch = { seed: 0, step: 0, count: 1, recipe }
  await expect(look()(reference, { batch })).rejects.toThrow(message)
})
