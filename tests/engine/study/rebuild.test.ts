import { expect, it } from 'vitest'
import type { FileSource } from '../../../engine/host.ts'
import { add, block, compare, dense, image, mixer, shapes } from '../../../engine/index.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { rebuild } from '../../../engine/study/rebuild.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { memoryRuns } from './memory-runs.ts'

const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}

it('a model of a built-in block is made again from what is stored of its run; others are named', async () => {
  const runs = memoryRuns()
  const own = block('own', (x, { dim }) => add(x, dense(x, dim)))
  const study = compare('s', {
    task: image({ data: shapes({ train: 16, test: 4 }) }),
    model: { patch: 16, dim: 8, depth: 1 },
    train: { steps: 2, batch: 8 },
    seeds: 1,
    variants: { wide: mixer({ tokenRatio: 2 }), own },
  })
  for await (const _ of executeStudy(study, { runs, files, backend: { name: 'cpu', device: 'test' } }));
  const [first, second] = runs.started.map(({ spec }) => JSON.parse(JSON.stringify(spec)) as unknown)
  const weights = await runs.readWeights(1)
  const { model, task } = await rebuild(first, weights, files)
  expect(await writeWeights(model.parameters, task.files)).toEqual(weights)
  model.dispose()
  const loss = (weights: Uint8Array, spec: unknown) => rebuild(spec, weights, files)
  await expect(loss(await runs.readWeights(2), second)).rejects.toThrow('own: its code is in a cell')
  await expect(loss(await runs.readWeights(2), first)).rejects.toThrow('is not in the model')
  await expect(loss(weights, { model: 3 })).rejects.toThrow('spec: the run was recorded by another version')
})
