import { backend_util, type DataType, type TensorInfo, upcastType, util } from '@tensorflow/tfjs-core'
import { attribute, family, first, input, one, type Rules, type ShapeRule } from '../rule.ts'

/** Shape and type of the first input. */
const same: ShapeRule = (inputs) => one(first(inputs).shape, first(inputs).dtype)

/** Shape of the first input, yes or no. */
const test: ShapeRule = (inputs) => one(first(inputs).shape, 'bool')

const broadcast: ShapeRule = (inputs) => {
  const [a, b] = Object.values(inputs) as TensorInfo[] as [TensorInfo, TensorInfo]
  return one(backend_util.assertAndGetBroadcastShape(a.shape, b.shape), a.dtype)
}

const broadcastTo =
  (dtype: DataType): ShapeRule =>
  (inputs, attributes) => {
    const { shape } = broadcast(inputs, attributes).output as { shape: number[] }
    return one(shape, dtype)
  }

/** No work where the new type holds every value of the old one, as in the backends of tfjs. */
const cast: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const wanted = attribute<DataType>(attributes, 'dtype')
  return { ...one(shape, wanted), view: !util.hasEncodingLoss(dtype, wanted) }
}

const UNARY = [
  ...['Abs', 'Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atanh', 'Ceil', 'ClipByValue', 'Cos', 'Cosh', 'Elu', 'Erf'],
  ...['Exp', 'Expm1', 'Floor', 'LeakyRelu', 'Log', 'Log1p', 'Neg', 'Reciprocal', 'Relu', 'Relu6', 'Round', 'Rsqrt'],
  ...['Selu', 'Sigmoid', 'Sign', 'Sin', 'Sinh', 'Softplus', 'Sqrt', 'Square', 'Step', 'Tan', 'Tanh'],
  ...['Softmax', 'LRN', 'LRNGrad', 'EluGrad', 'FusedBatchNorm', 'OnesLike', 'ZerosLike'],
]

const BINARY = [
  ...['Add', 'Atan2', 'BitwiseAnd', 'Maximum', 'Minimum', 'Mod', 'Multiply', 'Pow', 'Prelu', 'RealDiv'],
  ...['SquaredDifference', 'Sub'],
]

const COMPARISON = [...['Equal', 'Greater', 'GreaterEqual', 'Less', 'LessEqual', 'LogicalAnd', 'LogicalOr', 'NotEqual']]

/** Operations that work value by value, and those that keep the shape for another reason. */
export const elementwise: Rules = {
  ...family(UNARY, same),
  ...family(['IsFinite', 'IsInf', 'IsNan', 'LogicalNot'], test),
  ...family(BINARY, broadcast),
  ...family(COMPARISON, broadcastTo('bool')),
  FloorDiv: broadcastTo('int32'),
  AddN: same,
  Cast: cast,
  Select: (inputs) => {
    const [t, e] = [input(inputs, 't'), input(inputs, 'e')]
    return one(t.shape, upcastType(t.dtype, e.dtype))
  },
}
