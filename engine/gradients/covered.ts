import * as tf from '@tensorflow/tfjs-core'
import type { Gradient } from './gradient.ts'

/** The kernels whose gradients are tried against central differences, by tests/engine/gradients/table.ts. */
export const COVERED: readonly string[] = [
  ...['Abs', 'Acos', 'Acosh', 'Add', 'AddN', 'All', 'Any', 'ArgMax', 'ArgMin', 'Asin', 'Asinh', 'Atan'],
  ...['Atan2', 'Atanh', 'AvgPool', 'AvgPool3D', 'BatchMatMul', 'BatchToSpaceND', 'Cast', 'Ceil'],
  ...['ClipByValue', 'Concat', 'Conv2D', 'Conv2DBackpropInput', 'Conv3D', 'Conv3DBackpropInputV2', 'Cos'],
  ...['Cosh', 'Cumprod', 'Cumsum', 'DepthToSpace', 'DepthwiseConv2dNative', 'Diag', 'Dilation2D', 'Einsum'],
  ...['Elu', 'Equal', 'Erf', 'Exp', 'ExpandDims', 'Expm1', 'FlipLeftRight', 'Floor', 'FloorDiv'],
  ...['FusedBatchNorm', 'GatherNd', 'GatherV2', 'Greater', 'GreaterEqual', 'Identity', 'IsFinite', 'IsInf'],
  ...['IsNan', 'LRN', 'LeakyRelu', 'Less', 'LessEqual', 'Log', 'Log1p', 'LogicalAnd', 'LogicalNot'],
  ...['LogicalOr', 'Max', 'MaxPool', 'Maximum', 'Mean', 'Min', 'Minimum', 'MirrorPad', 'Mod', 'Multiply'],
  ...['Neg', 'NotEqual', 'OnesLike', 'Pack', 'PadV2', 'Pow', 'Prelu', 'Prod', 'RealDiv', 'Reciprocal'],
  ...['Relu', 'Relu6', 'Reshape', 'ResizeBilinear', 'ResizeNearestNeighbor', 'Reverse', 'Round', 'Rsqrt'],
  ...['ScatterNd', 'Select', 'Selu', 'Sigmoid', 'Sign', 'Sin', 'Sinh', 'Slice', 'Softmax', 'Softplus'],
  ...['SpaceToBatchND', 'SparseToDense', 'SplitV', 'Sqrt', 'Square', 'SquaredDifference', 'Step'],
  ...['StridedSlice', 'Sub', 'Sum', 'Tan', 'Tanh', 'Tile', 'TopK', 'Transpose', 'Unpack'],
  ...['UnsortedSegmentSum', 'ZerosLike'],
]

/** Ranks up to which the table goes. */
const MAX_RANK = 5

let known: Map<string, Gradient> | null = null

/** To be called once our gradients are registered: those that are there now are the ones that were tried. */
export function rememberGradients(): void {
  known = new Map(COVERED.map((kernel) => [kernel, tf.getGradient(kernel)]))
}

/** Whether the gradient of an operation is one that was tried, with attributes like these. */
export function isCovered(kernel: string, attributes: tf.NamedAttrMap, shapes: number[][]): boolean {
  const gradient = known?.get(kernel)
  if (!gradient || gradient !== tf.getGradient(kernel)) return false
  const channelsFirst = `${attributes.dataFormat ?? ''}`.startsWith('NC')
  return !channelsFirst && shapes.every(({ length }) => length <= MAX_RANK)
}
