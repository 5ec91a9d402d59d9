import * as tf from '@tensorflow/tfjs'
import { describe, expect, it, vi } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import * as mixlab from '../../../../engine/index.ts'
import { attentionMaps } from '../../../../engine/nn/attentionMaps.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { StoredOrigin } from '../../../../engine/records/origin.ts'
import type { StoredRunDetails } from '../../../../engine/records/run.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { needsCells, rebuild } from '../../../../engine/study/recreate/rebuild.ts'
import { writeWeights } from '../../../../engine/weights/model.ts'
import { readSafetensors, writeSafetensors } from '../../../../engine/weights/safetensors.ts'
import { memoryRuns } from '../memory-runs.ts'

const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const modules = { mixlab, '@tensorflow/tfjs': tf as unknown as Record<string, unknown> }
const console = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }

const NOTEBOOK = `// %% own
import * as tf from '@tensorflow/tfjs'
import { add, block, compare, display, image, layerNorm, mixer, residual, selfAttention, shapes } from 'mixlab'
const half = tf.scalar(0.5)
console.log('made')
display('made')
const own = block('own', (x) => residual(x, add(selfAttention(layerNorm(x), { heads: 2 }), half)))

// %% study
export const study = compare('s', {
  task: image({ data: shapes({ train: 16, test: 4 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 2, batch: 8 },
  seeds: 1,
  variants: { wide: mixer({ tokenRatio: 2 }), own },
})
`

/** The runs of the notebook as the store has them, with their weights. */
async function trained(notebook = NOTEBOOK): Promise<{ run: StoredRunDetails; weights: Uint8Array }[]> {
  const runs = memoryRuns()
  const definitions = await evaluateAll(notebook, modules, { console })
  const backend = { name: 'cpu', device: 'test' } as const
  for await (const _ of executeStudy(definitions.get('study')?.value as Study, { runs, files, backend }));
  tf.dispose(definitions.get('half')?.value as tf.Tensor)
  console.log.mockClear()
  return Promise.all(
    runs.started.map(async ({ spec, origin, ...run }, i) => ({
      run: {
        ...run,
        id: i + 1,
        origin: { ...origin, variant: run.variant },
        spec: JSON.parse(JSON.stringify(spec)),
      } as unknown as StoredRunDetails,
      weights: await runs.readWeights(i + 1),
    })),
  )
}

describe('rebuild', () => {
  it('makes the models of a tuned study again, those that chose too', async () => {
    const tuning = 'tune: tuned({ steps: [1, 2] }, ({ steps }) => ({ train: { steps } }), { seeds: 1 }),'
    const notebook = NOTEBOOK.replace('shapes }', 'shapes, tuned }').replace('seeds: 1,', `seeds: 1, ${tuning}`)
    const runs = await trained(notebook)
    expect(runs).toHaveLength(6)
    for (const variant of ['own, steps=2', 'own']) {
      const { run, weights } = runs.find((each) => each.run.variant === variant) as (typeof runs)[number]
      const { model, dispose } = await rebuild(run, weights, files, modules)
      const written = await writeWeights(model.parameters)
      expect(readSafetensors(written, '').tensors).toEqual(readSafetensors(weights, '').tensors)
      dispose()
    }
  })

  it('makes a model again: of a built-in block from its spec, of another from its cells, silently', async () => {
    for (const { run, weights } of await trained()) {
      const { model, task, dispose } = await rebuild(run, weights, files, modules)
      expect(await writeWeights(model.parameters, task.files)).toEqual(weights)
      const images = tf.zeros([1, 32, 32, 3])
      const maps = await attentionMaps((mode) => model.apply(images, mode))
      const own = [{ layer: 'blocks.0.attn', heads: 2, rows: 4, columns: 4 }]
      expect([needsCells(run), maps]).toMatchObject(run.variant === 'own' ? [true, own] : [false, []])
      tf.dispose(images)
      dispose()
    }
    expect(console.log).not.toHaveBeenCalled()
  })

  it('finds the variant by what its source calls it, also a name that a study takes no more, in a cell with the block', async () => {
    const own = (await trained())[1] as Awaited<ReturnType<typeof trained>>[0]
    const source = `${own.run.origin?.source}`.replace('own }', "'64': own }").replace('export const study = ', '')
    const origin = { ...(own.run.origin as StoredOrigin), name: null, source, variant: '64' }
    const { dispose } = await rebuild({ ...own.run, variant: 'd64', origin }, own.weights, files, modules)
    dispose()
  })

  it('fills in what a spec of before an option does not have', async () => {
    const [{ run, weights }] = (await trained()) as [Awaited<ReturnType<typeof trained>>[number]]
    const spec = structuredClone(run.spec) as { model: Record<string, unknown>; task: { options: { data: object } } }
    delete spec.model.eps
    const { model, dispose } = await rebuild({ ...run, spec }, weights, files, modules)
    const images = tf.ones([1, 32, 32, 3])
    const values = tf.tidy(() => model.apply(images).dataSync())
    expect(values.every(Number.isFinite)).toBe(true)
    tf.dispose(images)
    dispose()
  })

  it('says why it cannot, and leaves nothing', async () => {
    const [wide, own] = (await trained()) as [
      Awaited<ReturnType<typeof trained>>[0],
      Awaited<ReturnType<typeof trained>>[0],
    ]
    const before = tf.memory().numTensors
    const again = (run: StoredRunDetails, weights = own.weights) => rebuild(run, weights, files, modules)
    const from = (change: (source: string) => string) => {
      const origin = own.run.origin as NonNullable<StoredRunDetails['origin']>
      return { ...own.run, origin: { ...origin, source: change(origin.source) } }
    }
    await expect(again(own.run, wide.weights)).rejects.toThrow('is not in the model')
    await expect(again(wide.run)).rejects.toThrow('is not in the model')
    await expect(again({ ...own.run, origin: null })).rejects.toThrow('run 2: cannot be recreated')
    await expect(again(from((source) => source.replace('0.5', '0.6')))).rejects.toThrow('run 2: its cells plan another')
    await expect(again(from((source) => source.replace('console', 'nothing')))).rejects.toThrow(
      'nothing is not defined',
    )
    await expect(again({ ...wide.run, spec: { model: 3 } })).rejects.toThrow('run 1: its spec is of another shape')
    const { tensors, metadata } = readSafetensors(wide.weights)
    const other = writeSafetensors(tensors, { ...metadata, 'tokenizer.json': '{}' })
    await expect(again(wide.run, other)).rejects.toThrow('run 1: its tokenizer has learned from other text')
    const gone = { ...(wide.run.spec as object), model: { block: 'gone', code: 'built in' } }
    await expect(again({ ...wide.run, spec: gone })).rejects.toThrow('gone: there is no built-in block of this name')
    expect(tf.memory().numTensors).toBe(before)
  })
})
