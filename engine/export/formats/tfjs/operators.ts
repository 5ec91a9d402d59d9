import type { Name } from '../../graph/names.ts'
import { isDynamic, type Node, openShape, type Value } from '../../graph/types.ts'

type Attribute = object

/** A node as model.json has it. */
export interface NodeDef {
  name: string
  op: string
  input: string[]
  attr: Record<string, Attribute>
}

interface OperatorContext {
  node: Node
  /** Adds a node and gives its name, a new one by default. */
  emit(op: string, input: string[], attr?: Record<string, Attribute>, name?: string): string
  /** The name of a tensor of these int32 values, or of one without axes. */
  ints(values: number[], scalar?: boolean): string
  float(value: number): string
  /** What the result has to be called. */
  output: string
}

type Operator = (given: OperatorContext) => unknown

const names = ({ node }: OperatorContext) => node.inputs.map(({ name }) => name)
const x = (given: OperatorContext, i = 0) => names(given)[i] as string
const attributesOf = <T>({ node }: OperatorContext, name: string) => node.attributes[name] as T
const TYPE = { float32: { type: 'DT_FLOAT' }, int32: { type: 'DT_INT32' }, bool: { type: 'DT_BOOL' } } as const
/** A text, in base64. */
const text = (value: string) => ({ s: btoa(value) })
const ints = (values: number[]) => ({ list: { i: values.map(String) } })

const same =
  (op: string): Operator =>
  (given) => {
    given.emit(op, names(given), { T: TYPE.float32 }, given.output)
  }

const reduction =
  (op: string): Operator =>
  (given) => {
    const keep = { b: attributesOf<boolean>(given, 'keepDims') }
    given.emit(
      op,
      [...names(given), given.ints(attributesOf<number[]>(given, 'axes'))],
      { keep_dims: keep },
      given.output,
    )
  }

const product = ({ emit }: OperatorContext, a: string, b: string, turns: [boolean, boolean], name?: string) =>
  emit('BatchMatMulV2', [a, b], { adj_x: { b: turns[0] }, adj_y: { b: turns[1] } }, name)

const transposed = ({ emit, ints }: OperatorContext, value: string, perm: number[], name?: string) =>
  emit('Transpose', [value, ints(perm)], {}, name)

const mean = ({ emit, ints }: OperatorContext, value: string, axis: number) =>
  emit('Mean', [value, ints([axis])], { keep_dims: { b: true } })

/** An image padded as the node says. */
function paddedImage(given: OperatorContext, image: string, value: number): string {
  const [top, left, bottom, right] = attributesOf<[number, number, number, number]>(given, 'pad')
  const paddings = given.ints([0, 0, top, bottom, left, right, 0, 0])
  const pairs = given.emit('Reshape', [paddings, given.ints([4, 2])])
  return given.emit('PadV2', [image, pairs, given.float(value)])
}

/** Whether windows are padded as TensorFlow pads by itself. */
function isSame({ node }: OperatorContext): boolean {
  const { size, strides, pad } = node.attributes as Record<string, number[]>
  return [0, 1].every((axis) => {
    const length = node.inputs[0]?.shape[axis + 1] as number
    const [seen, stride] = [size?.[axis], strides?.[axis]] as [number, number]
    const all = Math.max(0, (Math.ceil(length / stride) - 1) * stride + seen - length)
    return pad?.[axis] === Math.floor(all / 2) && pad[axis + 2] === Math.ceil(all / 2)
  })
}

function pooling(given: OperatorContext, op: string, image: string, padding: string, name?: string): string {
  const attributes = {
    ksize: ints([1, ...attributesOf<number[]>(given, 'size'), 1]),
    strides: ints([1, ...attributesOf<number[]>(given, 'strides'), 1]),
    padding: text(padding),
    data_format: text('NHWC'),
  }
  return given.emit(op, [image], attributes, name)
}

/** How each operation of a graph is said in nodes of TensorFlow. */
export const operators: Record<Name, Operator> = {
  ...{ Abs: same('Abs'), Ceil: same('Ceil'), Cos: same('Cos'), Elu: same('Elu'), Erf: same('Erf'), Exp: same('Exp') },
  ...{ Floor: same('Floor'), Log: same('Log'), Neg: same('Neg'), Reciprocal: same('Reciprocal'), Relu: same('Relu') },
  ...{ Rsqrt: same('Rsqrt'), Sigmoid: same('Sigmoid'), Sign: same('Sign'), Sin: same('Sin'), Sqrt: same('Sqrt') },
  ...{ Softplus: same('Softplus'), Square: same('Square'), Tanh: same('Tanh'), Softmax: same('Softmax') },
  ...{ Add: same('AddV2'), Maximum: same('Maximum'), Minimum: same('Minimum'), Multiply: same('Mul') },
  ...{ Pow: same('Pow'), RealDiv: same('RealDiv'), Sub: same('Sub') },
  ...{ Equal: same('Equal'), NotEqual: same('NotEqual'), Greater: same('Greater'), Less: same('Less') },
  ...{ GreaterEqual: same('GreaterEqual'), LessEqual: same('LessEqual'), LogicalAnd: same('LogicalAnd') },
  ...{ LogicalOr: same('LogicalOr'), LogicalNot: same('LogicalNot'), Select: same('SelectV2') },
  ...{ Max: reduction('Max'), Mean: reduction('Mean'), Min: reduction('Min'), Sum: reduction('Sum') },
  Gelu: (given) => {
    const { emit, float } = given
    const erf = emit('Erf', [emit('Mul', [x(given), float(Math.SQRT1_2)])])
    const share = emit('Mul', [emit('AddV2', [erf, float(1)]), float(0.5)])
    emit('Mul', [x(given), share], {}, given.output)
  },
  LayerNorm: (given) => {
    const { emit, float, node } = given
    const axis = (node.inputs[0] as Value).shape.length - 1
    const centred = emit('Sub', [x(given), mean(given, x(given), axis)])
    const variance = mean(given, emit('Square', [centred]), axis)
    const scale = emit('Rsqrt', [emit('AddV2', [variance, float(attributesOf<number>(given, 'eps'))])])
    const rows = emit('Mul', [emit('Mul', [centred, scale]), x(given, 1)])
    emit('AddV2', [rows, x(given, 2)], {}, given.output)
  },
  MatMul: (given) => {
    const turns: [boolean, boolean] = [attributesOf(given, 'transposeA'), attributesOf(given, 'transposeB')]
    product(given, x(given), x(given, 1), turns, given.output)
  },
  /** By rows, as products of tensors with different numbers of axes are not broadcast everywhere. */
  Linear: (given) => {
    const { emit, node } = given
    const [input, weight, bias] = node.inputs as [Value, Value, Value?]
    const flat = input.shape.length === 2
    const rows = flat ? x(given) : emit('Reshape', [x(given), given.ints([-1, weight.shape[1] as number])])
    const end = bias ? undefined : given.output
    const y = product(given, rows, weight.name, [false, true], flat ? end : undefined)
    const whole = flat ? y : emit('Reshape', [y, given.ints(openShape(node.output.shape))], {}, end)
    if (bias) emit('AddV2', [whole, bias.name], {}, given.output)
  },
  Conv2D: (given) => {
    const { emit, node } = given
    const groups = attributesOf<number>(given, 'groups')
    const [units, each, high, wide] = (node.inputs[1] as Value).shape as [number, number, number, number]
    const padded = paddedImage(given, x(given), 0)
    const filter = transposed(given, x(given, 1), [2, 3, 1, 0])
    const attributes = {
      strides: ints([1, ...attributesOf<number[]>(given, 'strides'), 1]),
      dilations: ints([1, ...attributesOf<number[]>(given, 'dilations'), 1]),
      padding: text('VALID'),
      data_format: text('NHWC'),
    }
    if (groups === 1) emit('Conv2D', [padded, filter], attributes, given.output)
    else if (each === 1) {
      const own = emit('Reshape', [filter, given.ints([high, wide, groups, units / groups])])
      emit('DepthwiseConv2dNative', [padded, own], attributes, given.output)
    } else {
      // no operation of TensorFlow.js has groups
      const part = (value: string, i: number, size: number) =>
        emit('Slice', [value, given.ints([0, 0, 0, i * size]), given.ints([-1, -1, -1, size])])
      const parts = Array.from({ length: groups }, (_, i) =>
        emit('Conv2D', [part(padded, i, each), part(filter, i, units / groups)], attributes),
      )
      const count = { N: { i: String(groups) } }
      emit('ConcatV2', [...parts, given.ints([3], true)], count, given.output)
    }
  },
  AvgPool: (given) => {
    const { emit } = given
    if (isSame(given)) return pooling(given, 'AvgPool', x(given), 'SAME', given.output)
    const whole = paddedImage(given, x(given), 0)
    const inside = paddedImage(given, emit('OnesLike', [x(given)]), 0)
    const [sums, counts] = [whole, inside].map((image) => pooling(given, 'AvgPool', image, 'VALID')) as [string, string]
    return emit('RealDiv', [sums, counts], {}, given.output)
  },
  MaxPool: (given) => {
    if (isSame(given)) return pooling(given, 'MaxPool', x(given), 'SAME', given.output)
    const whole = paddedImage(given, x(given), Number.NEGATIVE_INFINITY)
    return pooling(given, 'MaxPool', whole, 'VALID', given.output)
  },
  Transpose: (given) => {
    transposed(given, x(given), attributesOf(given, 'perm'), given.output)
  },
  Reshape: (given) => {
    given.emit('Reshape', [x(given), given.ints(openShape(given.node.output.shape))], {}, given.output)
  },
  Slice: (given) => {
    const { axis, begin, size } = given.node.attributes as { axis: number; begin: number; size: number }
    const { length } = given.node.output.shape
    const along = (value: number, otherwise: number) => given.ints(Array(length).fill(otherwise).with(axis, value))
    given.emit('Slice', [x(given), along(begin, 0), along(size, -1)], {}, given.output)
  },
  Concat: (given) => {
    const { length } = given.node.inputs
    const axis = given.ints([attributesOf<number>(given, 'axis')], true)
    given.emit('ConcatV2', [...names(given), axis], { N: { i: String(length) } }, given.output)
  },
  Pad: (given) => {
    const [before, after] = [attributesOf<number[]>(given, 'before'), attributesOf<number[]>(given, 'after')]
    const paddings = given.ints(before.flatMap((count, axis) => [count, after[axis] as number]))
    const pairs = given.emit('Reshape', [paddings, given.ints([before.length, 2])])
    given.emit('PadV2', [x(given), pairs, given.float(attributesOf<number>(given, 'value'))], {}, given.output)
  },
  Gather: (given) => {
    const axis = given.ints([attributesOf<number>(given, 'axis')], true)
    given.emit('GatherV2', [x(given), x(given, 1), axis], { batch_dims: { i: '0' } }, given.output)
  },
  Cast: (given) => {
    const [from, to] = [(given.node.inputs[0] as Value).dtype, given.node.output.dtype]
    given.emit('Cast', [x(given)], { SrcT: TYPE[from], DstT: TYPE[to] }, given.output)
  },
  /** The number of examples is that of the input. */
  Fill: (given) => {
    const { emit } = given
    const { shape, dtype } = given.node.output
    const examples = emit('Slice', [emit('Shape', [x(given)]), given.ints([0]), given.ints([1])])
    const lengths = shape.map((length) => {
      if (!isDynamic(length)) return given.ints([length])
      return length.examples === 1 ? examples : emit('Mul', [examples, given.ints([length.examples])])
    })
    const whole = emit('ConcatV2', [...lengths, given.ints([0], true)], { N: { i: String(lengths.length) } })
    const value = given.float(attributesOf<number>(given, 'value'))
    const cast = dtype === 'float32' ? value : emit('Cast', [value], { SrcT: TYPE.float32, DstT: TYPE[dtype] })
    emit('Fill', [whole, cast], { T: TYPE[dtype] }, given.output)
  },
}
