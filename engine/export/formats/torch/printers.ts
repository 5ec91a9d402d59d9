import type { Name } from '../../graph/names.ts'
import { isDynamic, type Length, type Node, openShape, type Value } from '../../graph/types.ts'

/** What an expression is made of. */
export interface Print {
  node: Node
  /** An input as an expression. */
  input(i: number): string
  /** The number that an input is, if it is one that the code has in it. */
  scalar(i: number): number | undefined
  /** Adds a line of its own and gives the name of what it makes. */
  line(expression: string): string
}

/** An operation as an expression of Python. */
type Printer = (print: Print) => string

const list = (values: readonly unknown[]) => `[${values.join(', ')}]`
const float = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value))
const told = <T>({ node }: Print, name: string) => node.attributes[name] as T
const x = ({ input }: Print, i = 0) => input(i)
const all = ({ node, input }: Print) => node.inputs.map((_, i) => input(i))

const call =
  (name: string): Printer =>
  (print) =>
    `${name}(${all(print).join(', ')})`

/** Numbers in the code stand there as such. */
const between =
  (sign: string): Printer =>
  (print) => {
    const [a, b] = [0, 1].map((i) => {
      const number = print.scalar(i)
      return number === undefined ? x(print, i) : float(number)
    })
    return `${a} ${sign} ${b}`
  }

const reduction =
  (name: string): Printer =>
  (print) => {
    const keepDim = told<boolean>(print, 'keepDims') ? 'True' : 'False'
    return `${name}(${x(print)}, ${list(told<number[]>(print, 'axes'))}, ${keepDim})`
  }

const turned = (print: Print, i: number, turn: boolean) =>
  turn ? `torch.transpose(${x(print, i)}, -1, -2)` : x(print, i)

const permuted = (value: string, perm: number[]) => `torch.permute(${value}, ${list(perm)})`

export const printers: Record<Name, Printer> = {
  ...{ Abs: call('torch.abs'), Ceil: call('torch.ceil'), Cos: call('torch.cos'), Elu: call('F.elu') },
  ...{ Erf: call('torch.erf'), Exp: call('torch.exp'), Floor: call('torch.floor'), Gelu: call('F.gelu') },
  ...{ Log: call('torch.log'), Neg: call('torch.neg'), Reciprocal: call('torch.reciprocal'), Relu: call('F.relu') },
  ...{ Rsqrt: call('torch.rsqrt'), Sigmoid: call('torch.sigmoid'), Sign: call('torch.sign'), Sin: call('torch.sin') },
  ...{ Softplus: call('F.softplus'), Sqrt: call('torch.sqrt'), Square: call('torch.square'), Tanh: call('torch.tanh') },
  ...{ Add: between('+'), Sub: between('-'), Multiply: between('*'), RealDiv: between('/'), Pow: between('**') },
  ...{ Maximum: call('torch.maximum'), Minimum: call('torch.minimum'), Linear: call('F.linear') },
  ...{ Max: reduction('torch.amax'), Mean: reduction('torch.mean'), Min: reduction('torch.amin') },
  Sum: reduction('torch.sum'),
  MatMul: (print) => {
    const [left, right] = [told<boolean>(print, 'transposeA'), told<boolean>(print, 'transposeB')]
    return `torch.matmul(${turned(print, 0, left)}, ${turned(print, 1, right)})`
  },
  Softmax: (print) => `F.softmax(${x(print)}, -1)`,
  LayerNorm: (print) => {
    const dim = print.node.output.shape.at(-1) as Length
    return `F.layer_norm(${x(print)}, ${list([dim])}, ${x(print, 1)}, ${x(print, 2)}, ${told<number>(print, 'eps')})`
  },
  Conv2D: (print) => {
    const [top, left, bottom, right] = told<number[]>(print, 'pad')
    const channelsFirst = print.line(permuted(x(print), [0, 3, 1, 2]))
    const padded = print.line(`F.pad(${channelsFirst}, ${list([left, right, top, bottom])})`)
    const [strides, dilations] = ['strides', 'dilations'].map((name) => list(told<number[]>(print, name)))
    const y = print.line(`F.conv2d(${padded}, ${x(print, 1)}, None, ${strides}, [0, 0], ${dilations})`)
    return permuted(y, [0, 2, 3, 1])
  },
  Transpose: (print) => permuted(x(print), told<number[]>(print, 'perm')),
  Reshape: (print) => `torch.reshape(${x(print)}, ${list(openShape(print.node.output.shape))})`,
  Slice: (print) => {
    const { axis, begin, size } = print.node.attributes
    return `torch.narrow(${x(print)}, ${axis}, ${begin}, ${size})`
  },
  Concat: (print) => `torch.cat(${list(all(print))}, ${told<number>(print, 'axis')})`,
  Pad: (print) => {
    const [before, after] = [told<number[]>(print, 'before'), told<number[]>(print, 'after')]
    const lastFirst = before
      .map((count, axis) => [count, after[axis]])
      .toReversed()
      .flat()
    return `F.pad(${x(print)}, ${list(lastFirst)}, 'constant', ${float(told<number>(print, 'value'))})`
  },
  Gather: (print) => {
    const [table, places] = print.node.inputs as [Value, Value]
    const axis = told<number>(print, 'axis')
    if (axis === 0 && table.shape.length === 2) return `F.embedding(${x(print, 1)}, ${x(print)})`
    const flat = `torch.index_select(${x(print)}, ${axis}, torch.flatten(${x(print, 1)}))`
    if (places.shape.length === 1) return flat
    return `torch.reshape(${print.line(flat)}, ${list(openShape(print.node.output.shape))})`
  },
  Cast: (print) => `${x(print)}.${{ float32: 'float', int32: 'int', bool: 'bool' }[print.node.output.dtype]}()`,
  /** The number of examples is that of the input. */
  Fill: (print) => {
    const count = ({ examples }: { examples: number }) => `${examples > 1 ? `${examples} * ` : ''}${x(print)}.shape[0]`
    const lengths = print.node.output.shape.map((length) => (isDynamic(length) ? count(length) : length))
    const { dtype } = print.node.output
    const value = float(told<number>(print, 'value'))
    const filled = `torch.full(${list(lengths)}, ${value}, device=${x(print)}.device)`
    return dtype === 'float32' ? filled : `${print.line(filled)}.int()`
  },
}
