import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import {
  add,
  compare,
  crossEntropy,
  gmlp,
  image,
  mixer,
  only,
  points,
  shapes,
  softmax,
  solids,
  task,
} from '../../../engine/index.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import type { Study, StudySpec } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { type KeyedSpec, keyOfRun } from '../../../engine/study/key.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { withoutTeacher } from '../../../engine/study/teacher.ts'
import { memoryRuns } from './memory-runs.ts'

const none = () => Promise.reject(new Error('none'))
const files: FileSource = { list: none, read: none }
const backend = { name: 'cpu', device: 'test' } as const
const base = image({ data: shapes({ size: 16, train: 32, test: 10 }) })
const common: Omit<StudySpec, 'task' | 'variants'> = {
  model: { patch: 8, dim: 4, depth: 1 },
  train: { steps: 2, batch: 4, evalEvery: 2, histograms: false },
  seeds: 1,
}

const teachers = (more: Partial<StudySpec> = {}) =>
  compare('teacher', { ...common, task: base, variants: { gmlp }, ...more })
const pupils = (teacher: Study, more: Partial<StudySpec> = {}) =>
  compare('pupils', {
    ...common,
    task: task('soft', {
      base,
      teacher,
      loss: (logits, target, { teacher }) => add(crossEntropy(logits, target), crossEntropy(logits, softmax(teacher))),
    }),
    variants: { mixer },
    ...more,
  })

async function execute(study: Study, runs = memoryRuns()) {
  const all: StudyEvent[] = []
  for await (const event of executeStudy(study, { runs, files, backend })) all.push(event)
  return {
    runs,
    ends: all.flatMap((event) => (event.type === 'end' ? [[event.trained, event.cached, event.failed]] : [])),
  }
}

const planned = async (study: Study) => (await openStudy(study, {}, files)).planned[0]
const message = (study: () => Study) =>
  Promise.resolve()
    .then(() => openStudy(study(), {}, files))
    .then(
      () => null,
      (error: Error) => error.message,
    )

describe('a teacher', () => {
  it('is trained first, once, and leaves no tensors', async () => {
    const before = tf.memory().numTensors
    const { runs, ends } = await execute(pupils(teachers()))
    expect(ends).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ])
    expect(runs.started.map(({ study }) => study)).toEqual(['teacher', 'pupils'])
    expect((await execute(pupils(teachers()), runs)).ends).toEqual([[0, 1, 0]])
    expect(tf.memory().numTensors).toBe(before)
  })
  it('decides what is learned by what it says, and its key is in those of its pupils', async () => {
    const losses = async (study: Study) => {
      const { runs } = await execute(study)
      return runs.started.at(-1)?.events.flatMap((e) => (e.type === 'metric' && /loss/.test(e.name) ? [e.value] : []))
    }
    const [one, other] = [teachers(), teachers({ train: { ...common.train, steps: 3 } })]
    expect(await losses(pupils(one))).not.toEqual(await losses(pupils(other)))
    const [first, again, second] = await Promise.all([one, teachers(), other].map((each) => planned(pupils(each))))
    expect(first?.key).toBe(again?.key)
    expect(first?.key).not.toBe(second?.key)
    expect(first?.spec.teacher).toMatchObject({ study: 'teacher', variant: 'gmlp', seed: 1 })
    expect(keyOfRun(structuredClone(first?.spec) as unknown as KeyedSpec)).toBe(first?.key)
  })
  it('is that of the same seed, or the only one', async () => {
    const seeds = async (teacher: Study, own: number[]) =>
      (await openStudy(pupils(teacher, { seeds: own }), {}, files)).planned.map(({ teacher }) => teacher?.seed)
    expect(await seeds(teachers({ seeds: 2 }), [1, 2])).toEqual([1, 2])
    expect(await seeds(teachers(), [1, 2])).toEqual([1, 1])
  })
  it.each<[string, () => Study, string]>([
    [
      'several variants',
      () => pupils(teachers({ variants: { gmlp, mixer } })),
      "task 'soft'.teacher: 'teacher' has 2 variants, expected one: only(study, { variants: ['gmlp'] })",
    ],
    [
      'no such seed',
      () => pupils(teachers({ seeds: [3, 4] })),
      "task 'soft'.teacher: 'teacher' has no seed 1, only 3, 4; give it the same seeds, or one",
    ],
    [
      'other data',
      () => pupils(teachers({ task: points({ data: solids({ points: 16, train: 32, test: 10 }) }) })),
      "task 'soft'.teacher: 'teacher' reads float32 [batch, 16, 3], this task float32 [batch, 16, 16, 3]",
    ],
    [
      'what is no study',
      () => pupils(gmlp as unknown as Study),
      "task 'soft'.teacher: a function, expected a study, made by compare()",
    ],
  ])('cannot have %s', async (_, study, problem) => {
    expect(await message(study)).toBe(problem)
  })
  it('may be one variant of a study', async () => {
    const teacher = only(teachers({ variants: { gmlp, mixer } }), { variants: ['gmlp'] })
    expect((await planned(pupils(teacher)))?.teacher?.key).toBe((await planned(teachers()))?.key)
  })
  it('is as the quick mode runs it where its pupils are', async () => {
    const study = pupils(teachers({ quick: { train: { steps: 1 } } }))
    const [quick] = (await openStudy(study, { quick: true }, files)).planned
    expect((await planned(only(study, { quick: true })))?.key).toBe(quick?.key)
    expect((await planned(study))?.teacher?.key).not.toBe(quick?.teacher?.key)
  })
  it('says the same after an interruption', async () => {
    const study = () => pupils(teachers(), { train: { ...common.train, steps: 4 } })
    const whole = (await execute(study())).runs
    const runs = memoryRuns()
    const abort = new AbortController()
    for await (const event of executeStudy(study(), { runs, files, backend, signal: abort.signal })) {
      if (event.type === 'run' && event.event.type === 'step' && event.id === 2 && event.event.step === 3) abort.abort()
    }
    expect(runs.started[1]?.events.at(-1)).toMatchObject({ type: 'interrupted', step: 3 })
    await execute(study(), runs)
    expect(await runs.readWeights(2)).toEqual(await whole.readWeights(2))
  })
  it('teaches a task that is made of one that it teaches', async () => {
    const { task: soft } = pupils(teachers()).spec
    const again = pupils(teachers(), { task: task('again', { base: soft, metric: 'loss' }) })
    expect((await planned(again))?.teacher?.key).toBe((await planned(teachers()))?.key)
  })
  it('says what is not a number where it is gone', async () => {
    const { variants } = await openStudy(pupils(teachers()), {}, files)
    const batches = withoutTeacher(variants[0]?.opened as never).evalBatches('validation', 2, 2)
    const { value: batch } = await batches.next()
    expect(batch?.teacher.shape).toEqual([2, 10])
    expect(batch?.teacher.dataSync().every(Number.isNaN)).toBe(true)
    await batches.return(undefined)
    tf.dispose(batch)
  })
})
