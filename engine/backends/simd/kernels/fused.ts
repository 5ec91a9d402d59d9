import { type TensorInfo, util } from '@tensorflow/tfjs-core'
import { type Four, share, shareLoop } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

// Kernels that tfjs does not have; engine/nn/fused.ts calls them by these names.

const gelu: SimdKernel = ({ inputs, backend }) => {
  const x = inputs.x as TensorInfo
  const { info, address } = backend.output(x.shape)
  const from = backend.address(x)
  share(backend, 'gelu', util.sizeFromShape(x.shape), 1, (i, count) => [from + 4 * i, address + 4 * i, count])
  return info
}

const geluGrad: SimdKernel = ({ inputs, backend }) => {
  const [dy, x] = [inputs.dy, inputs.x] as [TensorInfo, TensorInfo]
  const { info, address } = backend.output(x.shape)
  const [slope, from] = [backend.address(dy), backend.address(x)]
  share(backend, 'geluGrad', util.sizeFromShape(x.shape), 1, (i, count) => {
    return [slope + 4 * i, from + 4 * i, address + 4 * i, count]
  })
  return info
}

/** Gives the result, the normalised value and, `[..., 1]`, what it was multiplied by. */
const layerNorm: SimdKernel = ({ inputs, attrs, backend }) => {
  const { x, weight, bias } = inputs as Record<'x' | 'weight' | 'bias', TensorInfo>
  const { rows, dim } = rowsOf(x)
  const [out, value] = [backend.output(x.shape), backend.output(x.shape)]
  const scale = backend.output([...x.shape.slice(0, -1), 1])
  const from = backend.address(x)
  const affine = [backend.address(weight), backend.address(bias)] as const
  share(backend, 'layerNorm', rows, dim, (row, count) => {
    const skipped = 4 * row * dim
    const places = [out.address + skipped, value.address + skipped, scale.address + 4 * row] as const
    return [from + skipped, ...affine, ...places, count, dim, attrs.eps as number]
  })
  return [out.info, value.info, scale.info]
}

/** Gives the gradient by x, and those by weight and bias of each example, `[examples, 1, dim]`. */
const layerNormGrad: SimdKernel = ({ inputs, backend }) => {
  const { dy, value, scale, weight } = inputs as Record<'dy' | 'value' | 'scale' | 'weight', TensorInfo>
  const { rows, dim } = rowsOf(dy)
  const examples = dy.shape.length > 1 ? (dy.shape[0] as number) : 1
  const each = examples === 0 ? 0 : rows / examples
  const out = backend.output(dy.shape)
  const [weights, biases] = [backend.output([examples, 1, dim]), backend.output([examples, 1, dim])]
  const [slope, y] = [backend.address(dy), backend.address(value)]
  const [factor, affine] = [backend.address(scale), backend.address(weight)]
  share(backend, 'layerNormGrad', examples, each * dim, (example, count) => {
    const [row, skipped] = [4 * example * each, 4 * example * dim]
    const given = [slope + row * dim, y + row * dim, factor + row, affine] as const
    return [...given, out.address + row * dim, weights.address + skipped, biases.address + skipped, count, each, dim]
  })
  return [out.info, weights.info, biases.info]
}

/** Gives the gradients by weight and bias of each example, as `layerNormGrad` does, whose others chunks of rows have. */
const layerNormSums: SimdKernel = ({ inputs, backend }) => {
  const { dy, value } = inputs as Record<'dy' | 'value', TensorInfo>
  const { rows, dim } = rowsOf(dy)
  const examples = dy.shape.length > 1 ? (dy.shape[0] as number) : 1
  const each = examples === 0 ? 0 : rows / examples
  const [weights, biases] = [backend.output([examples, 1, dim]), backend.output([examples, 1, dim])]
  const [slope, y] = [backend.address(dy), backend.address(value)]
  const addresses: [number, number, number, number] = [slope, y, weights.address, biases.address]
  const steps: Four[] = [each * dim, each * dim, dim, dim].map((step) => [0, 0, step, 1])
  const loop = { addresses, sizes: [1, 1, examples, dim] satisfies Four, steps, each }
  shareLoop(backend, 'layerNormSums', loop, (starts, [, , count, width]) => [...starts, count, each, dim, width])
  return [weights.info, biases.info]
}

/** Gives the loss and log sum exp of each row, `[rows]`. */
const crossEntropy: SimdKernel = ({ inputs, backend }) => {
  const [logits, labels] = [inputs.logits, inputs.labels] as [TensorInfo, TensorInfo]
  const { rows, dim } = rowsOf(logits)
  const [loss, normaliser] = [backend.output([rows]), backend.output([rows])]
  const [x, chosen] = [backend.address(logits), backend.address(labels)]
  share(backend, 'crossEntropy', rows, dim, (row, count) => {
    return [x + 4 * row * dim, chosen + 4 * row, loss.address + 4 * row, normaliser.address + 4 * row, count, dim]
  })
  return [loss.info, normaliser.info]
}

const crossEntropyGrad: SimdKernel = ({ inputs, backend }) => {
  const { dy, logits, labels, normaliser } = inputs as Record<'dy' | 'logits' | 'labels' | 'normaliser', TensorInfo>
  const { rows, dim } = rowsOf(logits)
  const { info, address } = backend.output(logits.shape)
  const given = [dy, labels, normaliser].map((each) => backend.address(each)) as [number, number, number]
  const x = backend.address(logits)
  share(backend, 'crossEntropyGrad', rows, dim, (row, count) => {
    const [slope, chosen, scale] = given.map((start) => start + 4 * row) as [number, number, number]
    return [slope, x + 4 * row * dim, chosen, scale, address + 4 * row * dim, count, dim]
  })
  return info
}

/** Gives how many other classes of each row are not below that of its label, `[rows]`. */
const labelRank: SimdKernel = ({ inputs, backend }) => {
  const [logits, labels] = [inputs.logits, inputs.labels] as [TensorInfo, TensorInfo]
  const { rows, dim } = rowsOf(logits)
  const { info, address } = backend.output([rows])
  const [x, chosen] = [backend.address(logits), backend.address(labels)]
  share(backend, 'labelRank', rows, dim, (row, count) => {
    return [x + 4 * row * dim, chosen + 4 * row, address + 4 * row, count, dim]
  })
  return info
}

function rowsOf({ shape }: TensorInfo): { rows: number; dim: number } {
  const dim = shape.at(-1) ?? 1
  return { rows: dim === 0 ? 0 : util.sizeFromShape(shape) / dim, dim }
}

export const fusedKernels: SimdKernels = {
  Gelu: gelu,
  GeluGrad: geluGrad,
  LayerNorm: layerNorm,
  LayerNormGrad: layerNormGrad,
  LayerNormSums: layerNormSums,
  CrossEntropy: crossEntropy,
  CrossEntropyGrad: crossEntropyGrad,
  LabelRank: labelRank,
}
