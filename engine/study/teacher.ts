import * as tf from '@tensorflow/tfjs-core'
import { compiled } from '../compile/model.ts'
import { MixlabError } from '../errors.ts'
import { createModel } from '../nn/model.ts'
import type { PlannedRun, RunName } from '../records/run.ts'
import type { RunStore } from '../records/store.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { predict } from '../train/evaluate.ts'
import { loadWeights } from '../weights/model.ts'
import { predictionShape } from './design/checkTask.ts'
import type { OpenStudy, OpenVariant } from './opened.ts'

/** What a teacher says to a batch, where another one said `former`; the caller disposes both. */
type Say = (batch: Batch, former: tf.Tensor | undefined) => tf.Tensor | Promise<tf.Tensor>

/**
 * The variant of a study that teaches. Throws MixlabError `option` where there are several, or where it reads something
 * else than the task that it teaches.
 */
export function teachingVariant({ name, variants }: OpenStudy, task: Task, path: string): OpenVariant {
  const [variant, ...more] = variants as [OpenVariant, ...OpenVariant[]]
  if (more.length > 0) {
    const what = `'${name}' has ${variants.length} variants, expected one: only(study, { variants: ['${variant.name}'] })`
    throw new MixlabError('option', path, what)
  }
  const [theirs, own] = [variant.opened, task].map(
    ({ input: { shape, dtype = 'float32' } }) => `${dtype} [batch, ${shape.slice(1).join(', ')}]`,
  )
  if (theirs !== own) throw new MixlabError('option', path, `'${name}' reads ${theirs}, this task ${own}`)
  const [known, other] = [variant.opened, task].map(({ files }) => files?.['tokenizer.json'])
  if (known !== other)
    throw new MixlabError('option', path, `the tokenizer of '${name}' is another; give both tasks the same`)
  return variant
}

/** The run of a teacher that a run learns from: that with the same seed, or its only one. Throws MixlabError `option`. */
export function teachingRun({ name, planned }: OpenStudy, seed: number, path: string): RunName {
  const found = planned.find((run) => run.seed === seed) ?? (planned.length === 1 ? planned[0] : undefined)
  if (found) return { key: found.key, study: found.study, variant: found.variant, seed: found.seed }
  const seeds = planned.map((run) => run.seed).join(', ')
  throw new MixlabError('option', path, `'${name}' has no seed ${seed}, only ${seeds}; give it the same seeds, or one`)
}

/** A task whose batches have, as `teacher`, what a teacher says to them. */
export function withTeacher(task: Task, say: Say): Task {
  async function* taught(source: AsyncGenerator<Batch>): AsyncGenerator<Batch> {
    for await (const { teacher: former, ...batch } of source) {
      const teacher = await say(batch as Batch, former)
      former?.dispose()
      yield { ...batch, teacher } as Batch
    }
  }
  return {
    ...task,
    taught: true,
    trainBatches: (...given) => taught(task.trainBatches(...given)),
    evalBatches: (...given) => taught(task.evalBatches(...given)),
  }
}

/** A task with the teacher `variant` before it is trained: it says 0 to everything. */
export async function withBlankTeacher(task: Task, variant: OpenVariant): Promise<Task> {
  const [, ...shape] = await predictionShape(variant)
  return withTeacher(task, ({ input }) => tf.zeros([input.shape[0] as number, ...shape]))
}

/** The task where its teacher is gone: what that says is not a number, and neither is a metric that comes of it. */
export function withoutTeacher(task: Task): Task {
  return task.taught ? withTeacher(task, (_, former) => tf.fill(former?.shape ?? [], Number.NaN)) : task
}

/** A trained teacher. */
export interface Teacher {
  teach(task: Task): Task
  dispose(): void
}

/** The teacher of a run, with the weights that its validation chose; null for a run that has none. Throws MixlabError `option` where it is not trained. */
export async function teacherOf(
  run: Pick<PlannedRun, 'study' | 'teacher'>,
  variant: OpenVariant | undefined,
  runs: Pick<RunStore, 'findDone' | 'readWeights'>,
): Promise<Teacher | null> {
  if (!run.teacher || !variant) return null
  const { key, study, seed } = run.teacher
  const [found] = await runs.findDone([key])
  if (!found)
    throw new MixlabError('option', `${run.study}.task.teacher`, `'${study}' has no finished run with seed ${seed}`)
  const best = await runs.readWeights(found.id, 'best').catch(() => runs.readWeights(found.id))
  const { block, size, opened } = variant
  const model = createModel(opened.model(block, size), opened.input, seed)
  const code = compiled<'prediction'>(model, { training: false }, (batch, { mode }) => ({
    prediction: predict(opened, model, batch as Batch, mode),
  }))
  const dispose = () => {
    code.dispose()
    model.dispose()
  }
  try {
    loadWeights(model.parameters, best, `'${study}'`)
  } catch (error) {
    dispose()
    throw error
  }
  return { teach: (task) => withTeacher(task, async (batch) => (await code.run(batch, 0)).prediction), dispose }
}
