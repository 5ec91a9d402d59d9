import * as tf from '@tensorflow/tfjs-core'
import type { Distribution } from '../nn/distribution.ts'
import { tokensAt } from '../nn/layers/tokens.ts'
import { toFile } from '../nn/layout.ts'
import type { Mode, Model } from '../nn/model.ts'
import { lineOf } from '../notebook/location.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { diagonalSums } from '../weights/toeplitz.ts'
import { furthest, largestDifference } from './difference.ts'
import { type Differentiated, judgeGradients, roundingIn, type Values } from './differences.ts'
import type { TrainedReader } from './formats/types.ts'
import { inputsOf, type ModelInputs } from './graph/record.ts'
import type { TrainedTensor, TrainingGraph } from './graph/training.ts'
import { TOLERANCE, type TrainingProof, type Worst } from './trainingProof.ts'

/** Training examples on which a file is compared with the model that it was written from, and with central differences. */
const [COMPARED, DIFFERENTIATED] = [8, 4]
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

/** A pass through the model, of which a task may make several for a loss. */
interface Call {
  inputs: ModelInputs
  logits: tf.Tensor
}

/** What training gives: the loss, gradients in the layouts of files, and buffers that were moved. */
interface Trained {
  loss: number
  calls: Call[]
  gradients: Values
  moved: Values
}

/**
 * Compares a module of a file with the model in training: on a batch of its task, with the masks that the model draws. Also
 * what both start from, and the gradient with central differences of the graph, which share no code with it.
 */
export async function proveTraining(
  model: Model,
  task: Task,
  seed: number,
  reader: TrainedReader,
  graph: TrainingGraph,
): Promise<TrainingProof> {
  const values = await readAll(trainedIn(reader).map((name) => [name, reader.values(name)]))
  const compared = await inTraining(model, task, seed, reader, values, COMPARED)
  const few = await inTraining(model, task, seed, reader, values, DIFFERENTIATED).catch((error) => {
    compared.dispose()
    throw error
  })
  try {
    const { own, other, masks, examples } = compared
    const outputs = own.calls.map(({ logits }, i) => largestDifference(logits, (other.calls[i] as Call).logits))
    const by = await differentiated(graph, reader, few)
    const shares = asShares(own.gradients, other.gradients)
    const open = [...shares].flatMap(([name, share]) => (share > TOLERANCE.gradient ? [name] : []))
    const rounding = roundingIn(open, by, values, few.other.gradients, few.own.gradients)
    for (const name of rounding) shares.delete(name)
    const [gradient, statistic] = [
      worstOf(shares, TOLERANCE.gradient),
      worstOf(asShares(own.moved, other.moved), TOLERANCE.statistic),
    ]
    const differences = await judgeGradients(by, values, few.other.gradients, few.gradientsAt)
    const isWrong = (gradient?.share ?? 0) > TOLERANCE.gradient || differences.wrong !== null
    const lines = isWrong ? linesOf(model, own.calls[0] as Call) : new Map<string, string>()
    return {
      examples,
      masks: masks.length,
      output: Math.max(...(await Promise.all(outputs))),
      loss: Math.abs(own.loss - other.loss),
      gradient,
      statistic,
      rounding,
      step: LEARNING_RATE * largest(own.gradients, other.gradients),
      initial: initialOf(reader, graph.tensors),
      differences,
      lines: Object.fromEntries(
        [gradient?.name, differences.wrong?.name].flatMap((name) => {
          const line = lines.get(name ?? '') ?? lines.get(name?.replace(/weight$/, 'toeplitz') ?? '')
          return name !== undefined && line ? [[name, line]] : []
        }),
      ),
    }
  } finally {
    compared.dispose()
    few.dispose()
  }
}

/** What the model and the module of a file give in training on the same batch. */
interface InTraining {
  examples: number
  own: Trained
  other: Trained
  masks: DrawnMask[]
  /** The gradient of the loss by the logits of each call. */
  weights: tf.Tensor[]
  /** The gradient of the module for other values of its parameters. */
  gradientsAt(values: Values): Promise<Values>
  dispose(): void
}

async function inTraining(
  model: Model,
  task: Task,
  seed: number,
  reader: TrainedReader,
  values: Values,
  count: number,
): Promise<InTraining> {
  const batches = task.trainBatches(count, seed, 0)
  const { value } = await batches.next()
  const batch = value as Batch
  await batches.return(undefined)
  const masks: DrawnMask[] = []
  const kept: tf.Tensor[] = Object.values(batch)
  const dispose = () => tf.dispose(kept)
  try {
    const own = await ofModel(model, task, batch, masks)
    kept.push(...tensorsOf(own.calls))
    const weights = weightsOf(task, batch, own.calls)
    kept.push(...weights)
    const ofFile = (there: Values) => ofReader(reader, there, task, batch, own.calls, weights, masks)
    const other = await ofFile(values)
    kept.push(...tensorsOf(other.calls))
    const gradientsAt = async (there: Values) => {
      const found = await ofFile(there)
      tf.dispose(tensorsOf(found.calls))
      return found.gradients
    }
    const expected = { ...own, ...inFile(own, model) }
    return { examples: batch.input.shape[0] ?? 0, own: expected, other, masks, weights, gradientsAt, dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

const tensorsOf = (calls: Call[]) => calls.flatMap(({ inputs, logits }) => [...Object.values(inputs), logits])
const trainedIn = ({ tensors }: TrainedReader) => tensors.filter(({ trained }) => trained).map(({ name }) => name)

/** The loss of a batch, where `run` gives logits for what the task asks of the model. */
function lossOf(task: Task, batch: Batch, run: (inputs: ModelInputs) => tf.Tensor): tf.Scalar {
  const apply: Model['apply'] = (input, _, { positions, ...extras } = {}) => {
    const logits = run({ ...inputsOf(batch), input, ...extras })
    return positions ? tokensAt(logits, positions) : logits
  }
  const prediction = task.predict ? task.predict({ apply } as Model, batch, { training: true }) : run(inputsOf(batch))
  return task.loss(prediction, batch)
}

/** The gradient of the loss by the logits of each call. The caller disposes them. */
function weightsOf(task: Task, batch: Batch, calls: Call[]): tf.Tensor[] {
  return tf.grads((...logits: tf.Tensor[]) => {
    const left = [...logits]
    return lossOf(task, batch, () => left.shift() as tf.Tensor)
  })(calls.map(({ logits }) => logits))
}

async function ofModel(model: Model, task: Task, batch: Batch, masks: DrawnMask[]): Promise<Trained> {
  const instead = Object.fromEntries(model.parameters.map(({ name, variable }) => [name, tf.variable(variable)]))
  const before = new Map(Object.entries(instead).map(([name, { dataId }]) => [name, dataId]))
  const trained = model.trained.map(({ name }) => instead[name] as tf.Variable)
  const step = 0
  const onDraw: Mode['onDraw'] = (tensor, values, source) => {
    masks.push({ values: values(step), shape: tensor.shape, rate: source?.rate ?? 0 })
  }
  const calls: Call[] = []
  const [loss, grads] = gradientsOf(trained, calls, () =>
    lossOf(task, batch, (inputs) => {
      const { input, ...extras } = inputs
      const logits = model.apply(input, { training: true, step, instead, onDraw }, extras)
      calls.push(keptCall(inputs, logits))
      return logits
    }),
  )
  const moved = Object.entries(instead).filter(([name, { dataId }]) => dataId !== before.get(name))
  try {
    return {
      loss: (await loss.data())[0] as number,
      calls,
      gradients: await read(model.trained.map(({ name }, i) => [name, grads[i] as tf.Tensor])),
      moved: await read(moved),
    }
  } finally {
    tf.dispose([loss, grads, instead])
  }
}

/** What the module gives for the same calls; its gradient is that of the sum of its logits by `weights`. */
async function ofReader(
  reader: TrainedReader,
  values: Values,
  task: Task,
  batch: Batch,
  asked: Call[],
  weights: tf.Tensor[],
  masks: DrawnMask[],
): Promise<Trained> {
  const shapes = new Map(reader.tensors.map(({ name, shape }) => [name, shape]))
  const variableOf = (name: string, own: Float32Array) => tf.variable(tf.tensor(own, shapes.get(name)))
  const given = tf.tidy(() => Object.fromEntries([...values].map(([name, own]) => [name, variableOf(name, own)])))
  const drawn = masks.map(({ values, shape, rate }) => ({ mask: tf.tensor(values, shape), rate }))
  const calls: Call[] = []
  let moved: tf.NamedTensorMap = {}
  let found: tf.Tensor[] = []
  try {
    const [sum, grads] = gradientsOf(Object.values(given), calls, () =>
      tf.addN(
        asked.map(({ inputs }, i) => {
          const trained = reader.train(inputs, given, drawn)
          tf.dispose(moved)
          moved = trained.moved
          calls.push(keptCall({} as ModelInputs, trained.logits))
          return tf.sum(tf.mul(trained.logits, weights[i] as tf.Tensor))
        }),
      ),
    )
    const left = calls.map(({ logits }) => logits)
    const loss = tf.tidy(() => lossOf(task, batch, () => left.shift() as tf.Tensor))
    found = [loss, sum, ...grads]
    return {
      loss: (await loss.data())[0] as number,
      calls,
      gradients: await read([...values.keys()].map((name, i) => [name, grads[i] as tf.Tensor])),
      moved: await read(Object.entries(moved)),
    }
  } finally {
    tf.dispose([found, given, moved, drawn.map(({ mask }) => mask)])
  }
}

const copied = <T extends tf.Tensor>(tensor: T) => tf.keep(tf.clone(tensor))

function keptCall({ input, ...extras }: Partial<ModelInputs>, logits: tf.Tensor): Call {
  const inputs = Object.entries({ ...(input && { input }), ...extras }).map(([name, tensor]) => [name, copied(tensor)])
  return { inputs: Object.fromEntries(inputs), logits: copied(logits) }
}

/** A value, and its gradient by each variable; zeros for one that has no part in it. Where it throws, `calls` end. */
function gradientsOf(
  variables: tf.Variable[],
  calls: Call[],
  run: () => tf.Tensor,
): [value: tf.Tensor, gradients: tf.Tensor[]] {
  let wrong: { error: unknown } | null = null
  const { value, grads } = tf.variableGrads(() => {
    try {
      return run() as tf.Scalar
    } catch (error) {
      wrong = { error } // thrown from here, tfjs would keep what it holds for gradients
      return tf.mul(tf.sum(variables[0] as tf.Tensor), 0) as tf.Scalar
    }
  }, variables)
  const failed = wrong as { error: unknown } | null
  if (!failed) return [value, variables.map(({ name, shape }) => grads[name] ?? tf.zeros(shape))]
  tf.dispose([value, grads, tensorsOf(calls)])
  throw failed.error
}

/** What central differences are taken of, in double precision. */
async function differentiated(
  graph: TrainingGraph,
  reader: TrainedReader,
  { own: { calls }, weights, masks }: InTraining,
): Promise<Differentiated> {
  const exact = async (tensor: tf.Tensor) => ({ shape: tensor.shape, values: Float64Array.from(await tensor.data()) })
  const buffers = reader.tensors.filter(({ trained }) => !trained).map(({ name }) => name)
  return {
    graph,
    calls: await Promise.all(
      calls.map(async ({ inputs, logits }, i) => {
        const read = Object.entries(inputs).map(async ([name, tensor]) => [name, await exact(tensor)] as const)
        const [weight, own] = [(await weights[i]?.data()) as Float32Array, (await logits.data()) as Float32Array]
        return { inputs: new Map(await Promise.all(read)), weights: weight.slice(), logits: own.slice() }
      }),
    ),
    masks: masks.map(({ values, shape, rate }) => ({ values: Float64Array.from(values), shape, rate })),
    buffers: await readAll(buffers.map((name) => [name, reader.values(name)])),
  }
}

/** The values of tensors, which end. */
async function readAll(tensors: (readonly [string, tf.Tensor])[]): Promise<Values> {
  try {
    return await read(tensors)
  } finally {
    tf.dispose(tensors.map(([, tensor]) => tensor))
  }
}

async function read(tensors: (readonly [string, tf.Tensor])[]): Promise<Values> {
  const values = tensors.map(async ([name, tensor]) => [name, (await tensor.data()).slice() as Float32Array] as const)
  return new Map(await Promise.all(values))
}

/** What training of the model gives, in the layouts of files. */
function inFile({ gradients, moved }: Trained, model: Model): Pick<Trained, 'gradients' | 'moved'> {
  const turned = (values: Values) =>
    new Map(
      model.parameters.flatMap(({ name, shape, layout }) => {
        const own = values.get(name)
        return own ? [[name, toFile(own, shape, layout)] as const] : []
      }),
    )
  return { gradients: turned(gradients), moved: turned(moved) }
}

function largest(expected: Values, found: Values): number {
  return Math.max(0, ...[...expected].map(([name, values]) => furthest(values, valuesOf(found, name))))
}

/** Of each tensor as a share of its largest entry, or of what is noise beside the largest of all. */
function asShares(expected: Values, found: Values): Map<string, number> {
  const sizes = [...expected.values()].map((values) => furthest(values, new Float32Array(values.length)))
  const noise = NOISE * Math.max(...sizes)
  const shares = [...expected].map(([name, values], i): [string, number] => {
    const difference = furthest(values, valuesOf(found, name))
    return [name, difference === 0 ? 0 : difference / Math.max(sizes[i] as number, noise)]
  })
  return new Map(shares)
}

/** The tensor that differs most; of those that differ by more than `most` the last, which is the nearest to the logits. */
function worstOf(shares: Map<string, number>, most: number): Worst | null {
  const all = [...shares].map(([name, share]) => ({ name, share }))
  return all.findLast(({ share }) => share > most) ?? all.toSorted((a, b) => b.share - a.share)[0] ?? null
}

/** The lines of cells that ask for parameters, by their names; none for built-in code. */
function linesOf(model: Model, { inputs: { input, ...extras } }: Call): Map<string, string> {
  const lines = new Map<string, string>()
  const copies = new Map<string, tf.Variable>()
  const known = new Map(model.parameters.map(({ name, variable }) => [name, variable]))
  const instead = new Proxy<Record<string, tf.Variable>>(
    {},
    {
      get: (_, name: string) => {
        const line = lineOf(new Error('here'))
        if (line !== null && !lines.has(name)) lines.set(name, line)
        const copy = copies.get(name) ?? tf.variable(known.get(name) as tf.Variable)
        copies.set(name, copy)
        return copy
      },
    },
  )
  try {
    tf.tidy(() => {
      model.apply(input, { training: true, step: 0, instead }, extras)
    })
    return lines
  } finally {
    tf.dispose([...copies.values()])
  }
}

/** Gradients of diagonals from those of a matrix that was written out. */
function valuesOf(found: Values, name: string): Float32Array | undefined {
  const matrix = found.get(name.replace(/toeplitz$/, 'weight'))
  return found.get(name) ?? (matrix && diagonalSums(matrix))
}

/** The tensors that start from another distribution, or are not trained where the model's are, of all. */
function initialOf({ tensors: found }: TrainedReader, tensors: TrainedTensor[]): TrainingProof['initial'] {
  const own = new Map(found.map((tensor) => [tensor.name, tensor]))
  const others = tensors.filter(({ name, trained, initial }) => {
    const other = own.get(name)
    return other?.trained !== trained || other.initial === null || !isAlike(initial, other.initial)
  })
  return { others: others.map(({ name }) => name), all: tensors.length }
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
