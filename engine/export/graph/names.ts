/** Operations of one tensor, value by value, under the names of tfjs. */
export const UNARY = [
  ...['Abs', 'Ceil', 'Cos', 'Elu', 'Erf', 'Exp', 'Floor', 'Gelu', 'Log', 'Neg', 'Reciprocal', 'Relu', 'Rsqrt'],
  ...['Sigmoid', 'Sign', 'Sin', 'Softplus', 'Sqrt', 'Square', 'Tanh'],
] as const

/** Operations of two tensors, value by value, broadcast. */
export const BINARY = ['Add', 'Maximum', 'Minimum', 'Multiply', 'Pow', 'RealDiv', 'Sub'] as const

/** Of two tensors, broadcast, whose values are bool. */
export const COMPARISONS = ['Equal', 'Greater', 'GreaterEqual', 'Less', 'LessEqual', 'NotEqual'] as const
export const LOGICAL = ['LogicalAnd', 'LogicalOr'] as const

/** Sums and the like over `axes`, which are kept with length 1 where `keepDims` is true. */
export const REDUCTIONS = ['Max', 'Mean', 'Min', 'Sum'] as const

/** The other operations of a node, with their attributes. */
export interface OperationAttributes {
  /** `[..., m, k]` times `[..., k, n]`, either turned. */
  MatMul: { transposeA: boolean; transposeB: boolean }
  /** x `[..., in]` by a weight `[out, in]`, and a bias `[out]` where there is one. */
  Linear: object
  /** Over the last axis. */
  Softmax: object
  /** Over the last axis: x, weight, bias. */
  LayerNorm: { eps: number }
  /**
   * `[examples, h, w, in]` by a filter `[out, in / groups, h, w]`, each part of the output by its part of the input; `pad` top,
   * left, bottom, right.
   */
  Conv2D: { strides: number[]; dilations: number[]; pad: number[]; groups: number }
  /** The mean of windows of `[examples, h, w, channels]`, of what they have inside of the image; `pad` as above. */
  AvgPool: { size: number[]; strides: number[]; pad: number[] }
  /** The largest of such windows. */
  MaxPool: { size: number[]; strides: number[]; pad: number[] }
  Transpose: { perm: number[] }
  Reshape: object
  /** `size` values of `axis` from `begin` on. */
  Slice: { axis: number; begin: number; size: number }
  Concat: { axis: number }
  Pad: { before: number[]; after: number[]; value: number }
  /** Of x, those at the places of an int32 tensor along `axis`. */
  Gather: { axis: number }
  /** Where the first, which is bool, is true the second, else the third, broadcast. */
  Select: object
  /** Of bool. */
  LogicalNot: object
  Cast: object
  /** As many as its shape says; the one input is only counted. */
  Fill: { value: number }
}

/** The name of an operation of a graph. */
export type Name =
  | (typeof UNARY)[number]
  | (typeof BINARY)[number]
  | (typeof COMPARISONS)[number]
  | (typeof LOGICAL)[number]
  | (typeof REDUCTIONS)[number]
  | keyof OperationAttributes

/** The operations that know whether the model is training, of graphs that can be trained. */
export interface TrainingAttributes {
  /** While training, each value is 0 with probability `rate` and else divided by 1 - rate. */
  Dropout: { rate: number }
  /** The same for whole examples. */
  DropPath: { rate: number }
  /**
   * x, weight, bias, running mean, running variance, over all axes but the last; a share `momentum` of each batch moves the
   * running ones.
   */
  BatchNorm: { eps: number; momentum: number }
  /** The first while training, else the second. */
  Choose: object
  /** Gives the first, a buffer, the value of the second while training. */
  Assign: object
}

/** The name of an operation of a graph that can be trained. */
export type TrainingName = Name | keyof TrainingAttributes
