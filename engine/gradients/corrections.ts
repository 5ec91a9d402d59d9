import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { copyOf } from '../options.ts'
import type { Gradient } from './gradient.ts'

/** What is used of the engine of tfjs: the methods that hand arrays to code or keep arrays of it. */
interface Engine {
  state: { scopeStack: { name: string }[] }
  nextTensorId(): number
  runKernel(name: string, inputs: object, attributes?: object): tf.Tensor | tf.Tensor[]
  customGrad(f: CustomFunction): (...inputs: tf.Tensor[]) => tf.Tensor
  makeTensor(values: tf.DataValues, ...rest: unknown[]): tf.Tensor
  trackTensor(tensor: tf.Tensor, backend: tf.KernelBackend): void
  readSync(dataId: object): tf.BackendValues
  read(dataId: object): Promise<tf.BackendValues>
}

type GradFunction = (dy: tf.Tensor, saved: tf.Tensor[]) => tf.Tensor | tf.Tensor[]
type CustomFunction = (...given: (tf.Tensor | tf.GradSaveFunc)[]) => { value: tf.Tensor; gradFunc: GradFunction }

/**
 * Corrects what the engine of tfjs does wrong for every operation, once:
 * - Code may change any array that it gave or got. tfjs shares arrays: the list that `split` returns is that of its tape.
 *   Here the tape and recordings keep copies, and shapes are frozen.
 * - A function with a gradient of its own always gives a new tensor. Where it gives its input, tfjs counts the gradient twice.
 * - Running sums and products take axes named from the end. tfjs gives them another shape.
 * - Inside of some operations kernels have other gradients: `within`, by the operation.
 * - A slice of nothing is empty, and nothing has no mean and no largest value. Backends of tfjs differ there.
 */
export function correctEngine(within: Record<string, Gradient[]>): void {
  for (const [operation, gradients] of Object.entries(within)) {
    for (const each of gradients) inside.set(`${each.kernelName} in ${operation}`, each)
  }
  kernelsInside = new Set([...inside.values()].map(({ kernelName }) => kernelName))
  corrected ??= correctedMethods(engineOf())
  Object.assign(engineOf(), corrected)
}

/** Runs code as earlier versions did: without these corrections, or only without gradients `within`. */
export function withoutCorrections<Result>(what: 'all' | 'within', run: () => Result): Result {
  const own = engineOf() as unknown as Record<string, unknown>
  const left = what === 'all' ? Object.keys(corrected ?? {}) : []
  for (const name of left) delete own[name] // what is below are methods of its class
  const kernels = kernelsInside
  kernelsInside = new Set()
  try {
    return run()
  } finally {
    Object.assign(own, corrected)
    kernelsInside = kernels
  }
}

type Methods = Omit<Engine, 'nextTensorId' | 'state'>

/** Gradients by `<kernel> in <operation>`, and their kernels. */
const inside = new Map<string, Gradient>()
let kernelsInside: ReadonlySet<string> = new Set()

/** Runs a kernel with its gradient inside of the operation that calls it, where it has one; tfjs reads it before it returns. */
function withGradientInside<Result>(name: string, run: () => Result): Result {
  if (!kernelsInside.has(name)) return run()
  const caller = engineOf().state.scopeStack.at(-2)?.name.replace(/__op$/, '')
  const own = inside.get(`${name} in ${caller}`)
  if (!own) return run()
  const usual = tf.getGradient(name)
  tf.registerGradient(own)
  try {
    return run()
  } finally {
    tf.registerGradient(usual)
  }
}

let corrected: Methods | null = null

const engineOf = () => tf.engine() as unknown as Engine

function correctedMethods(engine: Engine): Methods {
  const { runKernel, customGrad, makeTensor, trackTensor, readSync, read } = engine
  return {
    runKernel(name, inputs, attributes) {
      const correct = corrections[name]
      const given = correct?.(attributes as never, (inputs as { x: tf.Tensor }).x) ?? attributes
      if (given instanceof tf.Tensor) return given
      const results = withGradientInside(name, () =>
        runKernel.call(engine, name, Array.isArray(inputs) ? [...inputs] : inputs, copyOf(given)),
      )
      return Array.isArray(results) ? [...results] : results
    },
    customGrad(f) {
      return customGrad.call(engine, (...given) => {
        const first = engine.nextTensorId()
        const result = f(...given)
        const { value, gradFunc } = result
        if (typeof gradFunc !== 'function') return result // tfjs says so
        return { value: isOlder(value, first) ? tf.clone(value) : value, gradFunc: ownGradients(gradFunc) }
      })
    },
    makeTensor: (values, ...rest) => makeTensor.call(engine, copyOf(values), ...rest),
    trackTensor(tensor, backend) {
      Object.freeze(tensor.shape)
      trackTensor.call(engine, tensor, backend)
    },
    readSync: (dataId) => copyOf(readSync.call(engine, dataId)),
    read: async (dataId) => copyOf(await read.call(engine, dataId)),
  }
}

/** Gives a tensor for each input that nothing else has: tfjs disposes them one by one. */
function ownGradients(gradFunc: GradFunction): GradFunction {
  return (dy, saved) => {
    const first = engineOf().nextTensorId()
    const gradients = [gradFunc(dy, [...saved])].flat()
    return gradients.map((each, i) => (isOlder(each, first) || gradients.indexOf(each) < i ? tf.clone(each) : each))
  }
}

/** By kernel: other attributes, the result, or an error; null where the kernel is right. */
type Correction = (attributes: never, x: tf.Tensor) => object | null

/** Of an axis that is named from the end, or that there is not. */
const fromStart =
  (name: string) =>
  ({ axis, ...others }: { axis: number }, { rank, shape }: tf.Tensor) => {
    if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
      throw new MixlabError('option', name, `no axis ${axis} of [${shape}], expected ${-rank} to ${rank - 1}`)
    }
    return axis < 0 ? { ...others, axis: axis + rank } : null
  }

const notEmpty =
  (name: string) =>
  (attributes: Record<'axis' | 'reductionIndices', number | number[] | undefined>, { shape }: tf.Tensor) => {
    if (!shape.includes(0)) return null
    const { reductionIndices, axis = reductionIndices } = attributes
    const empty = tf.util.parseAxisParam(axis as number | number[], shape).find((each) => shape[each] === 0)
    if (empty === undefined) return null
    throw new MixlabError('option', name, `axis ${empty} of [${shape}] has no values`)
  }

type Stretch = Record<'begin' | 'end' | 'strides', number[]> &
  Record<'beginMask' | 'endMask' | 'ellipsisMask' | 'newAxisMask' | 'shrinkAxisMask', number>

/** Of an end before the beginning. */
function emptySlice({ begin, end, strides, ...masks }: Stretch, x: tf.Tensor): tf.Tensor | null {
  const { beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask } = masks
  const all = [beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask] as const
  const { finalShape } = tf.slice_util.sliceInfo(x.shape, begin, end, strides, ...all)
  if (!finalShape.includes(0)) return null
  const zeros = x.shape.map(() => 0)
  return tf.reshape(tf.slice(x, zeros, zeros), finalShape)
}

const corrections: Record<string, Correction> = {
  ...{ Cumsum: fromStart('cumsum'), Cumprod: fromStart('cumprod'), StridedSlice: emptySlice },
  ...{ Max: notEmpty('max'), Min: notEmpty('min'), Mean: notEmpty('mean') },
  ...{ ArgMax: notEmpty('argMax'), ArgMin: notEmpty('argMin') },
}

/** Whether a tensor was there before the one with the id `first`; for each input and each variable it was. */
function isOlder(value: unknown, first: number): value is tf.Tensor {
  return value instanceof tf.Tensor && value.id < first
}
