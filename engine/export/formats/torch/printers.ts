import { COMPARISONS, type TrainingName } from '../../graph/names.ts'
import { isDynamic, type Length, type Node, openShape, type Value } from '../../graph/types.ts'
import { float } from './numbers.ts'

/** Operations that only Python has a word for; see `rewritten`. */
export type TorchName = TrainingName | 'Expand' | 'Loop'
export type TorchNode = Node<TorchName>

/** What an expression is made of. */
export interface Print {
  node: TorchNode
  /** An input as an argument. */
  input(i: number): string
  /** An input in front of a dot, or beside a sign that binds so tightly. */
  operand(i: number, tight?: number): string
  /** The number that an input is, if it is one that the code has in it. */
  scalar(i: number): number | undefined
  /** The module that does this operation with its own parameters. */
  module: string | null
  /** The rate of stochastic depth where it is not the same in all blocks. */
  dropPath: string | null
}

/** An operation as an expression of Python. */
type Printer = (print: Print) => string

const attributes = <T>({ node }: Print, name: string) => node.attributes[name] as T
const rest = ({ node, input }: Print) => node.inputs.map((_, i) => input(i))

const call =
  (name: string): Printer =>
  (print) =>
    `${name}(${rest(print).join(', ')})`

const method =
  (name: string): Printer =>
  (print) =>
    `${print.operand(0)}.${name}()`

/** A sign between two operands that bind as tightly; numbers in the code stand there as such. */
function sides(print: Print, sign: string, tight: [number, number]): string {
  const [a, b] = tight.map((own, i) => {
    const number = print.scalar(i)
    if (number === undefined) return print.operand(i, own)
    return number < 0 || Object.is(number, -0) ? `(${float(number)})` : float(number)
  })
  return `${a} ${sign} ${b}`
}

const between =
  (sign: string): Printer =>
  (print) => {
    const own = tightness(print.node)
    return sides(print, sign, sign === '**' ? [ATOM, ATOM] : [own, own + 1])
  }

/** Comparisons of comparisons stand in parentheses: Python would read a > b == c as one chain. */
const compared =
  (sign: string): Printer =>
  (print) =>
    sides(print, sign, [1, 1])

const reduction =
  (name: string): Printer =>
  (print) => {
    const axes = attributes<number[]>(print, 'axes')
    const over = axes.length === 1 ? axes[0] : `(${axes.join(', ')})`
    return `${print.operand(0)}.${name}(${over}${attributes<boolean>(print, 'keepDims') ? ', keepdim=True' : ''})`
  }

const turned = (print: Print, i: number, turn: boolean) =>
  turn ? `${print.operand(i)}.transpose(-1, -2)` : print.operand(i, tightness(print.node) + i)

const pair = ([a, b]: number[]) => (a === b ? String(a) : `(${a}, ${b})`)

/** As many as the examples of a tensor, where a length counts them. */
function lengths(shape: readonly Length[], counted: string): string {
  const count = ({ examples }: { examples: number }) => `${examples > 1 ? `${examples} * ` : ''}${counted}.shape[0]`
  return shape.map((length) => (isDynamic(length) ? count(length) : length)).join(', ')
}

export const printers: Record<TorchName, Printer> = {
  ...{ Abs: method('abs'), Ceil: method('ceil'), Cos: method('cos'), Elu: call('F.elu'), Erf: method('erf') },
  ...{ Exp: method('exp'), Floor: method('floor'), Gelu: call('F.gelu'), Log: method('log') },
  ...{ Reciprocal: method('reciprocal'), Relu: call('F.relu'), Rsqrt: method('rsqrt'), Sigmoid: method('sigmoid') },
  ...{ Sign: method('sign'), Sin: method('sin'), Softplus: call('F.softplus'), Sqrt: method('sqrt') },
  ...{ Square: method('square'), Tanh: method('tanh'), Neg: (print) => `-${print.operand(0)}` },
  ...{ Add: between('+'), Sub: between('-'), Multiply: between('*'), RealDiv: between('/'), Pow: between('**') },
  ...{ Greater: compared('>'), GreaterEqual: compared('>='), Less: compared('<'), LessEqual: compared('<=') },
  ...{ Equal: compared('=='), NotEqual: compared('!='), LogicalAnd: call('torch.logical_and') },
  ...{ LogicalOr: call('torch.logical_or'), LogicalNot: call('torch.logical_not'), Select: call('torch.where') },
  ...{ Maximum: call('torch.maximum'), Minimum: call('torch.minimum') },
  ...{ Max: reduction('amax'), Mean: reduction('mean'), Min: reduction('amin'), Sum: reduction('sum') },
  MatMul: (print) => {
    const [left, right] = [attributes<boolean>(print, 'transposeA'), attributes<boolean>(print, 'transposeB')]
    return `${turned(print, 0, left)} @ ${turned(print, 1, right)}`
  },
  Linear: (print) => (print.module ? `${print.module}(${print.input(0)})` : call('F.linear')(print)),
  Softmax: (print) => `${print.operand(0)}.softmax(-1)`,
  LayerNorm: (print) => {
    if (print.module) return `${print.module}(${print.input(0)})`
    const dim = print.node.output.shape.at(-1) as Length
    const [x, weight, bias] = rest(print)
    return `F.layer_norm(${x}, [${dim}], ${weight}, ${bias}, ${float(attributes<number>(print, 'eps'))})`
  },
  Conv2D: (print) => {
    const image = `${print.operand(0)}.permute(0, 3, 1, 2)`
    if (print.module) return `${print.module}(${image}).permute(0, 2, 3, 1)`
    const [top, left, bottom, right] = attributes<number[]>(print, 'pad') as [number, number, number, number]
    const padded = top || left || bottom || right ? `F.pad(${image}, [${left}, ${right}, ${top}, ${bottom}])` : image
    const [stride, dilation] = [pair(attributes(print, 'strides')), pair(attributes(print, 'dilations'))]
    const [, weight, bias = 'None'] = rest(print)
    const groups = attributes<number>(print, 'groups')
    const how = `stride=${stride}, dilation=${dilation}${groups === 1 ? '' : `, groups=${groups}`}`
    return `F.conv2d(${padded}, ${weight}, ${bias}, ${how}).permute(0, 2, 3, 1)`
  },
  AvgPool: (print) => {
    const [size, stride] = [pair(attributes(print, 'size')), pair(attributes(print, 'strides'))]
    const [top, left, bottom, right] = attributes<number[]>(print, 'pad') as [number, number, number, number]
    if (top !== bottom || left !== right) {
      return `avg_pool(${print.input(0)}, ${size}, ${stride}, [${left}, ${right}, ${top}, ${bottom}])`
    }
    const padding = top || left ? `, ${pair([top, left])}, count_include_pad=False` : ''
    return `F.avg_pool2d(${print.operand(0)}.permute(0, 3, 1, 2), ${size}, ${stride}${padding}).permute(0, 2, 3, 1)`
  },
  MaxPool: (print) => {
    const [size, stride] = [pair(attributes(print, 'size')), pair(attributes(print, 'strides'))]
    const [top, left, bottom, right] = attributes<number[]>(print, 'pad') as [number, number, number, number]
    const image = `${print.operand(0)}.permute(0, 3, 1, 2)`
    const isEven = top === bottom && left === right
    const padded = isEven
      ? image
      : `F.pad(${image}, [${left}, ${right}, ${top}, ${bottom}], value=${float(Number.NEGATIVE_INFINITY)})`
    const padding = isEven && (top || left) ? `, ${pair([top, left])}` : ''
    return `F.max_pool2d(${padded}, ${size}, ${stride}${padding}).permute(0, 2, 3, 1)`
  },
  Transpose: (print) => {
    const perm = attributes<number[]>(print, 'perm')
    const moved = perm.flatMap((axis, i) => (axis === i ? [] : [i]))
    const name = moved.length === 2 ? 'transpose' : 'permute'
    return `${print.operand(0)}.${name}(${(moved.length === 2 ? moved : perm).join(', ')})`
  },
  Reshape: (print) => `${print.operand(0)}.reshape(${openShape(print.node.output.shape).join(', ')})`,
  Slice: (print) => {
    const [axis, begin, size] = ['axis', 'begin', 'size'].map((name) => attributes<number>(print, name)) as [
      number,
      number,
      number,
    ]
    const { shape } = print.node.inputs[0] as Value
    const from = begin === 0 ? '' : String(begin)
    const to = begin + size === shape[axis] ? '' : String(begin + size)
    const before = axis > 0 && axis === shape.length - 1 ? '..., ' : ':, '.repeat(axis)
    return `${print.operand(0)}[${before}${from}:${to}]`
  },
  Concat: (print) => `torch.cat([${rest(print).join(', ')}], ${attributes<number>(print, 'axis')})`,
  Pad: (print) => {
    const [before, after] = [attributes<number[]>(print, 'before'), attributes<number[]>(print, 'after')]
    const lastFirst = before.map((count, axis) => [count, after[axis] as number]).toReversed()
    while (lastFirst.length > 1 && lastFirst.at(-1)?.every((count) => count === 0)) lastFirst.pop()
    const value = attributes<number>(print, 'value')
    return `F.pad(${print.input(0)}, [${lastFirst.flat().join(', ')}]${value === 0 ? '' : `, value=${float(value)}`})`
  },
  Gather: (print) => {
    const [table, places] = print.node.inputs as [Value, Value]
    const axis = attributes<number>(print, 'axis')
    if (print.module) return `${print.module}(${print.input(1)})`
    if (axis === 0 && table.shape.length === 2) return `F.embedding(${print.input(1)}, ${print.input(0)})`
    if (places.shape.length === 1) return `${print.operand(0)}.index_select(${axis}, ${print.input(1)})`
    const flat = `${print.operand(0)}.index_select(${axis}, ${print.operand(1)}.flatten())`
    return `${flat}.reshape(${openShape(print.node.output.shape).join(', ')})`
  },
  Cast: (print) => `${print.operand(0)}.${{ float32: 'float', int32: 'int', bool: 'bool' }[print.node.output.dtype]}()`,
  /** The number of examples is that of the input. */
  Fill: (print) => {
    const { dtype, shape } = print.node.output
    const value = attributes<number>(print, 'value')
    const [number, type] = dtype === 'float32' ? [float(value), 'float32'] : [String(value), 'int32']
    const whole = `[${lengths(shape, print.operand(0))}]`
    return `torch.full(${whole}, ${number}, dtype=torch.${type}, device=${print.operand(0)}.device)`
  },
  Expand: (print) => `${print.operand(0)}.expand(${lengths(print.node.output.shape, print.operand(1))})`,
  Dropout: (print) => `F.dropout(${print.input(0)}, ${attributes<number>(print, 'rate')}, self.training)`,
  DropPath: (print) =>
    `drop_path(${print.input(0)}, ${print.dropPath ?? attributes<number>(print, 'rate')}, self.training)`,
  BatchNorm: (print) => {
    if (print.module) return `${print.module}(${print.input(0)})`
    const [x, weight, bias, mean, variance] = rest(print)
    const [eps, momentum] = ['eps', 'momentum'].map((name) => float(attributes<number>(print, name)))
    return `batch_norm(${x}, ${mean}, ${variance}, ${weight}, ${bias}, self.training, ${momentum}, ${eps})`
  },
  /** What goes into the first block; the others are arguments of each. */
  Loop: (print) => {
    for (const i of print.node.inputs.keys()) if (i > 0) print.input(i)
    return print.input(0)
  },
  Choose: (print) => `${print.operand(0)} if self.training else ${print.operand(1)}`,
  Assign: (print) => `${print.operand(1)}.detach()`,
}

/** Whether Python writes an operation as a sign between two operands; constants of the code are then written as numbers. */
export const isSign = (operation: TorchName): boolean =>
  ['Add', 'Sub', 'Multiply', 'RealDiv', 'Pow', ...COMPARISONS].includes(operation)

/** What a name, a call or a number has. */
const ATOM = 5
const TIGHTNESS: Partial<Record<TorchName, number>> = {
  ...{ Greater: 0.5, GreaterEqual: 0.5, Less: 0.5, LessEqual: 0.5, Equal: 0.5, NotEqual: 0.5 },
  ...{ Choose: 0, Add: 1, Sub: 1, Multiply: 2, RealDiv: 2, MatMul: 2, Neg: 3, Pow: 4 },
}

/** How tightly the outermost sign of an operation binds. */
export const tightness = ({ operation }: TorchNode): number => TIGHTNESS[operation] ?? ATOM
