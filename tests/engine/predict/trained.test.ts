import { describe, expect, it } from 'vitest'
import { evaluateOn } from '../../../engine/predict/evaluateOn.ts'
import { modelOfFile } from '../../../engine/predict/file.ts'
import { answeredTask, type TrainedModel, trainedOf } from '../../../engine/predict/trained.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { exported, modules, type Trained, trained } from '../export/trained.ts'

const files = memoryFiles({})

const NOTEBOOK = `// %% tasks
import * as tf from '@tensorflow/tfjs'
import { compare, crossEntropy, discs, image, mean, mixer, mul, shapes, sub, task } from 'mixlab'
const base = image({ data: shapes({ size: 16, train: 32, test: 10 }) })
const few = { model: { patch: 8, dim: 4, depth: 1 }, train: { steps: 2, batch: 4 }, variants: { mixer }, seeds: 1 }
export const teacher = compare('teacher', { ...few, task: base })
export const own = compare('own', {
  ...few,
  task: task('taught', { base, teacher, loss: (z, y, { teacher }) => mean(tf.square(sub(z, teacher))) }),
})
export const areas = compare('areas', {
  ...few,
  task: task('areas', { data: discs({ size: 16, train: 32, test: 10 }) }),
})
`
const runOf = async (study: string) => (await trained(NOTEBOOK)).find(({ run }) => run.study === study) as Trained

it('a model of a file, whose data set a cell defines, says so, and what to name', async () => {
  const task = { task: 'image', options: { data: { dataset: 'boxes', options: {} } } }
  const model = { source: 'box.onnx', task } as unknown as TrainedModel
  for (const data of [undefined, 'boxes']) {
    await expect(evaluateOn(model, { data }, files, async () => {})).rejects.toThrow(
      "box.onnx: was trained on 'boxes', which a cell of its notebook defines; name a data set of files, or one that is built in",
    )
  }
  await expect(evaluateOn(model, { data: 'shaps' }, files, async () => {})).rejects.toThrow("(did you mean 'shapes'?)")
})

describe('a model of a task of a cell', () => {
  it('answers as the built-in one that it changes, which is said', async () => {
    const { run, weights, tests } = await runOf('own')
    const model = trainedOf(run, await rebuild(run, weights, files, modules))
    expect(model.task).toMatchObject({ task: 'image', changedAs: 'taught' })
    const { metrics, notes } = await evaluateOn(model, {}, files, async () => {})
    model.dispose()
    expect(metrics['test/accuracy']?.value).toBe(tests['test/accuracy'])
    expect(notes).toContain("loss and metrics are those of task 'image', which 'taught' changes")
  })
  it('leaves, without the metrics that need its teacher, and is asked from its file', async () => {
    const { description, files: written } = await exported(await runOf('own'), 'safetensors')
    expect(description).toMatchObject({ task: 'taught' })
    expect(Object.keys(description.metrics)).toEqual(['test/accuracy', 'test/top5'])
    expect(description.missing).toEqual(['`test/loss`: not evaluated, since the teacher of the run is not here.'])
    const model = await modelOfFile(Object.values(written)[0] as Uint8Array, 'own.safetensors', modules)
    expect(model.task).toMatchObject({ task: 'image' })
    model.dispose()
  })
  it('of other data leaves, and cannot be asked', async () => {
    const areas = await runOf('areas')
    const rebuilt = await rebuild(areas.run, areas.weights, files, modules)
    expect(() => trainedOf(areas.run, rebuilt)).toThrow(
      `run ${areas.run.id}: is of task 'areas', whose models cannot be asked; those of built-in tasks on pictures, points and texts can`,
    )
    const { description, files: written } = await exported(areas, 'onnx')
    expect(Object.keys(description.metrics)).toEqual(['test/loss', 'test/r2'])
    await expect(modelOfFile(Object.values(written)[0] as Uint8Array, 'areas.onnx', modules)).rejects.toThrow(
      "areas.onnx: is of task 'areas', whose input nothing describes, so that it cannot be asked",
    )
  })
  it('of a built-in one without answers cannot be asked either', () => {
    expect(() => answeredTask({ task: 'regression', options: {} }, undefined, 'run 1')).toThrow(
      "is of task 'regression'",
    )
  })
})
