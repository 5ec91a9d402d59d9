import * as tf from '@tensorflow/tfjs-core'
import type { Distribution } from '../nn/distribution.ts'
import { tokensAt } from '../nn/layers/tokens.ts'
import { toFile } from '../nn/layout.ts'
import type { Mode, Model } from '../nn/model.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { diagonalSums } from '../weights/toeplitz.ts'
import { furthest, largestDifference } from './difference.ts'
import type { TrainedReader } from './formats/types.ts'
import { inputsOf, type ModelInputs } from './graph/record.ts'
import type { TrainedTensor } from './graph/training.ts'
import type { TrainingProof } from './trainingProof.ts'

/** Training examples on which a file is compared with the model that it was written from. */
export const TRAINED_EXAMPLES = 8
/** The learning rate of the one step of SGD. */
const LEARNING_RATE = 0.1
/** Gradients below this share of the largest of all are nothing but what was rounded off. */
const NOISE = 1e-3

/** A mask that the model drew. */
interface DrawnMask {
  values: Float32Array
  shape: number[]
  rate: number
}

/** What training gives: the loss, logits, gradients in the layouts of files, and buffers that were moved. */
interface Trained {
  loss: Float32Array
  logits: tf.Tensor
  gradients: Map<string, Float32Array>
  moved: Map<string, Float32Array>
}

/**
 * Compares a module of a file with the model in training: on a batch of its task, with the masks that the model draws. Also
 * what both start from.
 */
export async function proveTraining(
  model: Model,
  task: Task,
  seed: number,
  read: TrainedReader,
  tensors: TrainedTensor[],
): Promise<TrainingProof> {
  const batches = task.trainBatches(TRAINED_EXAMPLES, seed, 0)
  const { value } = await batches.next()
  const batch = value as Batch
  await batches.return(undefined)
  const masks: DrawnMask[] = []
  const kept: tf.Tensor[] = Object.values(batch)
  try {
    const own = await ofModel(model, task, batch, masks)
    kept.push(own.logits)
    const other = await ofFile(read, task, batch, masks)
    kept.push(other.logits)
    const expected = inFile(own, model)
    return {
      examples: batch.input.shape[0] ?? 0,
      masks: masks.length,
      output: await largestDifference(own.logits, other.logits),
      loss: Math.abs((own.loss[0] as number) - (other.loss[0] as number)),
      gradient: asShares(expected.gradients, other.gradients),
      statistic: asShares(expected.moved, other.moved),
      step: LEARNING_RATE * largest(expected.gradients, other.gradients),
      initial: initialOf(read, tensors),
    }
  } finally {
    tf.dispose(kept)
  }
}

/** Logits for what a batch has, where it says so of the tokens at some positions alone. */
function predicted(task: Task, batch: Batch, run: (inputs: ModelInputs) => tf.Tensor): tf.Tensor {
  const apply: Model['apply'] = (input, _, { positions, ...extras } = {}) => {
    const logits = run({ ...inputsOf(batch), input, ...extras })
    return positions ? tokensAt(logits, positions) : logits
  }
  if (!task.predict) return run(inputsOf(batch))
  return task.predict({ apply } as Model, batch, { training: true })
}

async function ofModel(model: Model, task: Task, batch: Batch, masks: DrawnMask[]): Promise<Trained> {
  const instead = Object.fromEntries(model.parameters.map(({ name, variable }) => [name, tf.variable(variable)]))
  const before = new Map(Object.entries(instead).map(([name, { dataId }]) => [name, dataId]))
  const trained = model.trained.map(({ name }) => instead[name] as tf.Variable)
  const step = 0
  const onDraw: Mode['onDraw'] = (tensor, values, source) => {
    masks.push({ values: values(step), shape: tensor.shape, rate: source?.rate ?? 0 })
  }
  const [loss, logits, grads] = gradientsOf(trained, task, batch, ({ input, ...extras }) =>
    model.apply(input, { training: true, step, instead, onDraw }, extras),
  )
  const moved = Object.entries(instead).filter(([name, { dataId }]) => dataId !== before.get(name))
  try {
    return {
      loss: (await loss.data()) as Float32Array,
      logits,
      gradients: await read(model.trained.map(({ name }, i) => [name, grads[i] as tf.Tensor])),
      moved: await read(moved),
    }
  } finally {
    tf.dispose([loss, grads, instead])
  }
}

async function ofFile(reader: TrainedReader, task: Task, batch: Batch, masks: DrawnMask[]): Promise<Trained> {
  const names = reader.tensors.filter(({ trained }) => trained).map(({ name }) => name)
  const given = tf.tidy(() => Object.fromEntries(names.map((name) => [name, tf.variable(reader.values(name))])))
  const drawn = masks.map(({ values, shape, rate }) => ({ mask: tf.tensor(values, shape), rate }))
  let moved: tf.NamedTensorMap = {}
  let found: tf.Tensor[] = []
  try {
    const [loss, logits, grads] = gradientsOf(Object.values(given), task, batch, (inputs) => {
      const trained = reader.train(inputs, given, drawn)
      moved = trained.moved
      return trained.logits
    })
    found = [loss, ...grads]
    return {
      loss: (await loss.data()) as Float32Array,
      logits,
      gradients: await read(names.map((name, i) => [name, grads[i] as tf.Tensor])),
      moved: await read(Object.entries(moved)),
    }
  } finally {
    tf.dispose([found, given, moved, drawn.map(({ mask }) => mask)])
  }
}

/** The loss of a batch, the logits, and the gradient of each variable; zeros for one that has no part in it. */
function gradientsOf(
  variables: tf.Variable[],
  task: Task,
  batch: Batch,
  run: (inputs: ModelInputs) => tf.Tensor,
): [loss: tf.Tensor, logits: tf.Tensor, gradients: tf.Tensor[]] {
  let logits: tf.Tensor | null = null
  let wrong: { error: unknown } | null = null
  const { value, grads } = tf.variableGrads(() => {
    try {
      const prediction = predicted(task, batch, run)
      logits = tf.keep(tf.clone(prediction))
      return task.loss(prediction, batch)
    } catch (error) {
      wrong = { error } // thrown from here, tfjs would keep what it holds for gradients
      return tf.mul(tf.sum(variables[0] as tf.Tensor), 0) as tf.Scalar
    }
  }, variables)
  const failed = wrong as { error: unknown } | null
  if (!failed)
    return [value, logits as unknown as tf.Tensor, variables.map(({ name, shape }) => grads[name] ?? tf.zeros(shape))]
  tf.dispose([value, grads, ...(logits ? [logits] : [])])
  throw failed.error
}

async function read(tensors: (readonly [string, tf.Tensor])[]): Promise<Map<string, Float32Array>> {
  const values = tensors.map(async ([name, tensor]) => [name, (await tensor.data()).slice() as Float32Array] as const)
  return new Map(await Promise.all(values))
}

/** What training of the model gives, in the layouts of files. */
function inFile({ gradients, moved }: Trained, model: Model): Pick<Trained, 'gradients' | 'moved'> {
  const turned = (values: Map<string, Float32Array>) =>
    new Map(
      model.parameters.flatMap(({ name, shape, layout }) => {
        const own = values.get(name)
        return own ? [[name, toFile(own, shape, layout)] as const] : []
      }),
    )
  return { gradients: turned(gradients), moved: turned(moved) }
}

function largest(expected: Map<string, Float32Array>, found: Map<string, Float32Array>): number {
  return Math.max(0, ...[...expected].map(([name, values]) => furthest(values, valuesOf(found, name))))
}

/** Of each tensor as a share of its largest entry, or of what is noise beside the largest of all. */
function asShares(expected: Map<string, Float32Array>, found: Map<string, Float32Array>): number {
  const sizes = [...expected.values()].map((values) => furthest(values, new Float32Array(values.length)))
  const noise = NOISE * Math.max(...sizes)
  const shares = [...expected].map(([name, values], i) => {
    const difference = furthest(values, valuesOf(found, name))
    return difference === 0 ? 0 : difference / Math.max(sizes[i] as number, noise)
  })
  return Math.max(0, ...shares)
}

/** Gradients of diagonals from those of a matrix that was written out. */
function valuesOf(found: Map<string, Float32Array>, name: string): Float32Array | undefined {
  const matrix = found.get(name.replace(/toeplitz$/, 'weight'))
  return found.get(name) ?? (matrix && diagonalSums(matrix))
}

/** How many tensors start from the same distribution, and are trained where the model's are. */
function initialOf({ tensors: found }: TrainedReader, tensors: TrainedTensor[]): TrainingProof['initial'] {
  const own = new Map(found.map((tensor) => [tensor.name, tensor]))
  const alike = tensors.filter(({ name, trained, initial }) => {
    const other = own.get(name)
    return other?.trained === trained && other.initial !== null && isAlike(initial, other.initial)
  })
  return { alike: alike.length, all: tensors.length }
}

function isAlike(expected: Distribution, found: Distribution): boolean {
  const wanted: Distribution = expected.kind === 'other' ? { ...expected, kind: 'normal' } : expected
  if (wanted.kind === 'fixed' && found.kind === 'fixed') {
    return wanted.values.every((value, i) => Math.abs(value - (found.values[i] ?? Number.NaN)) < 1e-3)
  }
  const numbers = ({ kind: _, ...rest }: Distribution) => Object.values(rest as Record<string, number>)
  const [a, b] = [numbers(wanted), numbers(found)]
  const scale = Math.max(...a.map(Math.abs))
  return wanted.kind === found.kind && a.every((value, i) => Math.abs(value - (b[i] ?? Number.NaN)) <= 1e-5 * scale)
}
