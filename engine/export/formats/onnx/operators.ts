import type { Name } from '../../graph/names.ts'
import { isDynamic, type Node, openShape, type Value } from '../../graph/types.ts'

/** Adds an operator and gives the name of its result, a new one by default. */
export type Emit = (
  type: string,
  inputs: string[],
  attributes?: Record<string, number | string | number[] | { float: number }>,
  output?: string,
) => string

export interface OperatorContext {
  node: Node
  emit: Emit
  /** The name of an int64 tensor of these values. */
  ints(values: number[]): string
  /** What the result has to be called. */
  output: string
}

type Operator = (given: OperatorContext) => void

const names = ({ node }: OperatorContext) => node.inputs.map(({ name }) => name)
const attributesOf = <T>({ node }: OperatorContext, name: string) => node.attributes[name] as T

/** An operator of ONNX that does just the same. */
const same =
  (type: string): Operator =>
  (given) => {
    given.emit(type, names(given), {}, given.output)
  }

const reduction =
  (type: string): Operator =>
  (given) => {
    const keepdims = Number(attributesOf<boolean>(given, 'keepDims'))
    const axes = attributesOf<number[]>(given, 'axes')
    // from opset 18 on axes are an input of all of them
    given.emit(type, [...names(given), given.ints(axes)], { keepdims }, given.output)
  }

/** What an operator gives of images with channels first, as the result of the node. */
function channelsFirst({ emit, output }: OperatorContext, x: string, run: (image: string) => string): void {
  emit('Transpose', [run(emit('Transpose', [x], { perm: [0, 3, 1, 2] }))], { perm: [0, 2, 3, 1] }, output)
}

const pooling =
  (type: string): Operator =>
  (given) => {
    const attributes = {
      kernel_shape: attributesOf<number[]>(given, 'size'),
      strides: attributesOf<number[]>(given, 'strides'),
      pads: attributesOf<number[]>(given, 'pad'),
    }
    channelsFirst(given, names(given)[0] as string, (image) => given.emit(type, [image], attributes))
  }

/** With the last two axes turned. */
function turned({ emit }: OperatorContext, { name, shape }: Value): string {
  const { length } = shape
  return emit('Transpose', [name], { perm: [...Array(length - 2).keys(), length - 1, length - 2] })
}

const CAST = { float32: 1, int32: 6, bool: 9 } as const

/** How each operation of a graph is said in ONNX. */
export const operators: Record<Name, Operator> = {
  ...{ Abs: same('Abs'), Ceil: same('Ceil'), Cos: same('Cos'), Elu: same('Elu'), Erf: same('Erf'), Exp: same('Exp') },
  ...{ Floor: same('Floor'), Gelu: same('Gelu'), Log: same('Log'), Neg: same('Neg'), Reciprocal: same('Reciprocal') },
  ...{ Relu: same('Relu'), Sigmoid: same('Sigmoid'), Sign: same('Sign'), Sin: same('Sin'), Softplus: same('Softplus') },
  ...{ Sqrt: same('Sqrt'), Tanh: same('Tanh') },
  ...{ Add: same('Add'), Maximum: same('Max'), Minimum: same('Min'), Multiply: same('Mul'), Pow: same('Pow') },
  ...{ RealDiv: same('Div'), Sub: same('Sub') },
  ...{ Equal: same('Equal'), Greater: same('Greater'), GreaterEqual: same('GreaterOrEqual'), Less: same('Less') },
  ...{ LessEqual: same('LessOrEqual'), LogicalAnd: same('And'), LogicalOr: same('Or'), LogicalNot: same('Not') },
  ...{ Select: same('Where') },
  NotEqual: (given) => {
    given.emit('Not', [given.emit('Equal', names(given))], {}, given.output)
  },
  ...{ Max: reduction('ReduceMax'), Mean: reduction('ReduceMean'), Min: reduction('ReduceMin') },
  Sum: reduction('ReduceSum'),
  Rsqrt: (given) => {
    given.emit('Reciprocal', [given.emit('Sqrt', names(given))], {}, given.output)
  },
  Square: (given) => {
    const [x = ''] = names(given)
    given.emit('Mul', [x, x], {}, given.output)
  },
  MatMul: (given) => {
    const [a, b] = given.node.inputs as [Value, Value]
    const left = attributesOf<boolean>(given, 'transposeA') ? turned(given, a) : a.name
    const right = attributesOf<boolean>(given, 'transposeB') ? turned(given, b) : b.name
    given.emit('MatMul', [left, right], {}, given.output)
  },
  Linear: (given) => {
    const [x, weight, bias] = given.node.inputs as [Value, Value, Value?]
    if (x.shape.length === 2) {
      given.emit('Gemm', names(given), { transB: 1 }, given.output)
      return
    }
    const inputs = [x.name, turned(given, weight)]
    if (bias) given.emit('Add', [given.emit('MatMul', inputs), bias.name], {}, given.output)
    else given.emit('MatMul', inputs, {}, given.output)
  },
  Softmax: (given) => {
    given.emit('Softmax', names(given), { axis: -1 }, given.output)
  },
  LayerNorm: (given) => {
    const epsilon = { float: attributesOf<number>(given, 'eps') }
    given.emit('LayerNormalization', names(given), { axis: -1, epsilon }, given.output)
  },
  Conv2D: (given) => {
    const [x = '', filter = ''] = names(given)
    const attributes = {
      strides: attributesOf<number[]>(given, 'strides'),
      dilations: attributesOf<number[]>(given, 'dilations'),
      pads: attributesOf<number[]>(given, 'pad'),
      group: attributesOf<number>(given, 'groups'),
    }
    channelsFirst(given, x, (image) => given.emit('Conv', [image, filter], attributes))
  },
  AvgPool: pooling('AveragePool'),
  MaxPool: pooling('MaxPool'),
  Transpose: (given) => {
    given.emit('Transpose', names(given), { perm: attributesOf<number[]>(given, 'perm') }, given.output)
  },
  Reshape: (given) => {
    given.emit('Reshape', [...names(given), given.ints(openShape(given.node.output.shape))], {}, given.output)
  },
  Slice: (given) => {
    const { axis, begin, size } = given.node.attributes as Record<string, number>
    const range = [begin, (begin as number) + (size as number), axis] as number[]
    given.emit('Slice', [...names(given), ...range.map((at) => given.ints([at]))], {}, given.output)
  },
  Concat: (given) => {
    given.emit('Concat', names(given), { axis: attributesOf<number>(given, 'axis') }, given.output)
  },
  Pad: (given) => {
    const value = attributesOf<number>(given, 'value')
    const pads = given.ints([...attributesOf<number[]>(given, 'before'), ...attributesOf<number[]>(given, 'after')])
    if (value === 0) given.emit('Pad', [...names(given), pads], {}, given.output)
    else
      given.emit(
        'Pad',
        [...names(given), pads, given.emit('Constant', [], { value_float: { float: value } })],
        {},
        given.output,
      )
  },
  Gather: (given) => {
    given.emit('Gather', names(given), { axis: attributesOf<number>(given, 'axis') }, given.output)
  },
  Cast: (given) => {
    given.emit('Cast', names(given), { to: CAST[given.node.output.dtype] }, given.output)
  },
  /** The number of examples is that of the input. */
  Fill: (given) => {
    const { shape, dtype } = given.node.output
    const examples = given.emit('Shape', names(given), { start: 0, end: 1 })
    const lengths = shape.map((length) => {
      if (!isDynamic(length)) return given.ints([length])
      return length.examples === 1 ? examples : given.emit('Mul', [examples, given.ints([length.examples])])
    })
    const whole = given.emit('Concat', lengths, { axis: 0 })
    const one = given.emit('Constant', [], { value_float: { float: attributesOf<number>(given, 'value') } })
    const value = given.emit('Cast', [one], { to: CAST[dtype] })
    given.emit('Expand', [value, whole], {}, given.output)
  },
}
