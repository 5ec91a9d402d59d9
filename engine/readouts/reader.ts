import * as tf from '@tensorflow/tfjs-core'
import { GRADIENT } from '../compile/training.ts'
import { traceModel } from '../cost/trace.ts'
import { MixlabError } from '../errors.ts'
import type { Forward, Model } from '../nn/model.ts'
import { disposeLeftovers, watchTensors } from '../notebook/tensors.ts'
import { TEST, TRAIN, VALIDATION } from '../records/splits.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { gradientCode } from '../train/differentiate.ts'
import { createEvaluator, EVALUATION_BATCH, predict } from '../train/evaluate.ts'
import { mixingWeights } from './mixingWeights.ts'
import type { ModelCost, Readout, ReadoutBatch, ReadoutBatches, ReadoutGiven, ReadoutModel } from './readout.ts'

/** What a read-out gave. */
export interface ReadoutResult {
  /** NaN where it failed. */
  value: number
  /** What it threw, or in words what it gave instead of a number; null where it gave one. */
  problem: { thrown: unknown } | string | null
  /** Whether it read test examples. */
  test: boolean
}

/** Computes read-outs of one model, with the weights that it has then. */
export interface Reader {
  /** An error in a read-out makes it NaN. Leaves no tensors. */
  read(readout: Readout): Promise<ReadoutResult>
  dispose(): void
}

/** What is read: a model, the code that it is made of, and its task. While it is trained, `tests` are out of reach. */
export interface Readable {
  model: Model
  forward: Forward
  task: Task
  tests: boolean
}

export function createReader({ model, forward, task, tests }: Readable): Reader {
  const { readouts: _, ...alone } = task
  const evaluator = createEvaluator(model, alone)
  let tested = false

  function checkSplit(split: string): void {
    if (split !== TEST && split !== TRAIN && split !== VALIDATION) {
      throw new MixlabError('option', 'split', `'${split}', allowed are train, validation and test`)
    }
    if (split !== TEST) return
    if (!tests) throw new MixlabError('option', 'data.test', "is read once, at the end: leave out when: 'evaluations'")
    tested = true
  }
  async function* batches(split: string, examples?: number): AsyncGenerator<ReadoutBatch> {
    checkSplit(split)
    for await (const batch of task.evalBatches(split, EVALUATION_BATCH, examples)) {
      yield batch
      tf.dispose(batch)
    }
  }
  let counted: Promise<ModelCost> | null = null
  const given = (): ReadoutGiven => {
    const weights = Object.fromEntries(model.parameters.map(({ name, variable }) => [name, tf.clone(variable)]))
    return {
      weights,
      mixing: mixingWeights(model.parameters, weights),
      model: modelOf(model, task),
      data: {
        train: (examples): ReadoutBatches => batches(TRAIN, examples),
        validation: (examples): ReadoutBatches => batches(VALIDATION, examples),
        test: (examples): ReadoutBatches => batches(TEST, examples),
      },
      async measure(split, examples) {
        checkSplit(split)
        const { metrics } = await evaluator.on(split, examples, async () => {})
        return Object.fromEntries([...metrics].map(([name, { value }]) => [name.slice(split.length + 1), value]))
      },
      cost() {
        counted ??= traceModel(forward, task.input)
        return counted
      },
    }
  }

  return {
    async read({ compute }) {
      tested = false
      const watch = watchTensors()
      try {
        const result = await compute(given())
        return { ...(await numberOf(result)), test: tested }
      } catch (error) {
        return { value: Number.NaN, problem: { thrown: error }, test: tested }
      } finally {
        // variables are models of others: whatever is asked meanwhile
        disposeLeftovers(watch.end().filter((tensor) => !(tensor instanceof tf.Variable)))
      }
    },
    dispose: evaluator.dispose,
  }
}

/** What a read-out returned, as a number. */
async function numberOf(result: unknown): Promise<Omit<ReadoutResult, 'test'>> {
  const given = result instanceof tf.Tensor && result.size === 1 ? (await result.data())[0] : result
  if (typeof given === 'number' && Number.isFinite(given)) return { value: given, problem: null }
  const shown = result instanceof tf.Tensor ? `a tensor [${result.shape}]` : `a value of type ${typeof given}`
  const value = typeof given === 'number' ? given : Number.NaN
  return { value, problem: `gave ${typeof given === 'number' ? given : `${shown}, expected a number`}` }
}

function modelOf(model: Model, task: Task): ReadoutModel {
  const lossOf = (batch: tf.NamedTensorMap) => task.loss(predict(task, model, batch as Batch, {}), batch as Batch)
  const gradients = gradientCode(model, lossOf)
  const parameters = Object.fromEntries(model.parameters.map(({ name, variable }) => [name, variable]))
  const apply = (batch: ReadoutBatch) => tf.tidy(() => predict(task, model, checked(batch), {}))
  return Object.assign(apply, {
    loss: (batch: ReadoutBatch) => tf.tidy(() => lossOf(checked(batch))),
    activations: (batch: ReadoutBatch) =>
      tf.tidy(() => {
        const found: Record<string, tf.Tensor> = {}
        const onBlock = (i: number, _: tf.Tensor, y: tf.Tensor) => {
          found[`blocks.${i}`] = y
        }
        predict(task, model, checked(batch), { onBlock })
        return found
      }),
    gradients: (batch: ReadoutBatch) =>
      tf.tidy(() => {
        const run = { mode: {}, parameters, backward: () => {} }
        const { loss: _, ...found } = gradients(checked(batch), run)
        return Object.fromEntries(model.trained.map(({ name }) => [name, found[GRADIENT + name] as tf.Tensor]))
      }),
  })
}

/** Throws MixlabError `option` for what is no batch. */
function checked(batch: unknown): Batch {
  const isBatch = typeof batch === 'object' && batch !== null && 'input' in batch && batch.input instanceof tf.Tensor
  if (isBatch) return batch as Batch
  const got = batch instanceof tf.Tensor ? `a tensor [${batch.shape}]` : `a value of type ${typeof batch}`
  throw new MixlabError(
    'option',
    'model',
    `got ${got}, expected a batch of data.train(), data.validation() or data.test()`,
  )
}
