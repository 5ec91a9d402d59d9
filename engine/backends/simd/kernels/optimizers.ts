import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core'
import { type TensorTable, withTable } from '../table.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

// Kernels over many tensors at once; engine/train/fusedUpdate.ts calls them by these names. The updates write into
// variables, which must not share their data, and return nothing. They are those of engine/train/optimizers/.

/** The inputs as so many columns of equal length, which follow each other. */
function columnsOf(inputs: NamedTensorInfoMap, count: number): TensorInfo[][] {
  const all = Object.values(inputs) as TensorInfo[]
  const length = all.length / count
  return Array.from({ length: count }, (_, i) => all.slice(i * length, (i + 1) * length))
}

/** A factor for each parameter: one where weight decay applies, and another. */
function byDecay({ decays }: NamedAttrMap, yes: number, no: number): number[] {
  return (decays as boolean[]).map((decay) => (decay ? yes : no))
}

/** Gradients, parameters, buffers. */
const sgdUpdate: SimdKernel = ({ inputs, attrs, backend }) => {
  const { learningRate, momentum, weightDecay } = attrs as Record<'learningRate' | 'momentum' | 'weightDecay', number>
  withTable(backend, columnsOf(inputs, 3), byDecay(attrs, weightDecay, 0), (table) => {
    table.run('sgd', [learningRate, momentum, Number(attrs.nesterov)])
  })
  return []
}

/** The scalars of Adam's moments; `scale` is what the update is multiplied by. */
function adamScalars(attrs: NamedAttrMap, scale: number): number[] {
  const { beta1, beta2, eps, step } = attrs as Record<'beta1' | 'beta2' | 'eps' | 'step', number>
  return [beta1, 1 - beta1, beta2, 1 - beta2, scale / (1 - beta1 ** step), 1 / (1 - beta2 ** step), eps]
}

/** Gradients, parameters, means, means of squares. */
const adamwUpdate: SimdKernel = ({ inputs, attrs, backend }) => {
  const { learningRate, weightDecay } = attrs as Record<'learningRate' | 'weightDecay', number>
  withTable(backend, columnsOf(inputs, 4), byDecay(attrs, 1 - learningRate * weightDecay, 1), (table) => {
    table.run('adamw', adamScalars(attrs, learningRate))
  })
  return []
}

/** Gradients, parameters, means, means of squares. */
const lambUpdate: SimdKernel = ({ inputs, attrs, backend }) => {
  const { learningRate, weightDecay } = attrs as Record<'learningRate' | 'weightDecay', number>
  const maxGradNorm = attrs.maxGradNorm as number
  const decays = byDecay(attrs, weightDecay, 0)
  withTable(backend, columnsOf(inputs, 4), decays, (table) => {
    const divisor = maxGradNorm > 0 ? Math.max(1, normOf(table, decays.length) / maxGradNorm) : 1
    const scalars = [...adamScalars(attrs, 1), divisor]
    table.run('lambMoments', scalars)
    for (let i = 0; i < decays.length; i++) {
      const [parameter, update] = [Math.sqrt(table.sum(i, 0)), Math.sqrt(table.sum(i, 1))]
      table.put(i, Math.min(parameter, update) > 0 ? (learningRate * parameter) / update : learningRate)
    }
    table.run('lambStep', scalars)
  })
  return []
}

/** Values, averages. */
const averageUpdate: SimdKernel = ({ inputs, attrs, backend }) => {
  const decay = attrs.decay as number
  withTable(backend, columnsOf(inputs, 2), [], (table) => table.run('average', [decay, 1 - decay]))
  return []
}

/** The Euclidean norm of the first column, of so many tensors. */
function normOf(table: TensorTable, tensors: number): number {
  table.run('squares')
  let sum = 0
  for (let i = 0; i < tensors; i++) sum += table.sum(i)
  return Math.sqrt(sum)
}

/** Tensors; a scalar. */
const globalNorm: SimdKernel = ({ inputs, backend }) => {
  const tensors = Object.values(inputs) as TensorInfo[]
  const norm = withTable(backend, [tensors], [], (table) => normOf(table, tensors.length))
  return backend.makeTensorInfo([], 'float32', Float32Array.of(norm))
}

/** A scalar, tensors; the tensors multiplied by it. */
const scaleAll: SimdKernel = ({ inputs, backend }) => {
  const [scalar, ...tensors] = Object.values(inputs) as [TensorInfo, ...TensorInfo[]]
  const [factor] = backend.readSync(scalar.dataId) as Float32Array
  const scaled = tensors.map(({ shape }) => backend.output(shape).info)
  withTable(backend, [tensors, scaled], [], (table) => table.run('scale', [factor as number]))
  return scaled
}

export const optimizerKernels: SimdKernels = {
  AdamWUpdate: adamwUpdate,
  AverageUpdate: averageUpdate,
  GlobalNorm: globalNorm,
  LambUpdate: lambUpdate,
  ScaleAll: scaleAll,
  SgdUpdate: sgdUpdate,
}
