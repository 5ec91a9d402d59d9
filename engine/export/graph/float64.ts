// A graph in double precision, by plain loops that share nothing with the kernels of tfjs: it is what gradients are held
// against.
import type { TrainingName } from './names.ts'
import type { TrainingGraph } from './training.ts'
import { isDynamic, type Node } from './types.ts'

/** Values of a tensor of any type, in double precision. */
export interface Exact {
  shape: number[]
  values: Float64Array
}

/** A mask that training drew: factors, and the rate that they were drawn with. */
export interface ExactMask extends Exact {
  rate: number
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, length) => product * length, 1)
const at = (values: ArrayLike<number>, i: number) => values[i] as number

/**
 * The logits of a graph in training, in double precision. `tensors` are inputs and parameters by name. Masks stand for what is
 * drawn, in their order; some may stay unused. Throws for a mask that is not there.
 */
export function exactLogits(
  graph: TrainingGraph,
  tensors: ReadonlyMap<string, Exact>,
  masks: readonly ExactMask[],
): Exact {
  const known = new Map(tensors)
  for (const { name, shape, values } of graph.constants) known.set(name, { shape, values: Float64Array.from(values) })
  const examples = known.get('input')?.shape[0] as number
  const left = [...masks]
  const mask = (shape: number[], rate: number): Exact => {
    for (let next = left.shift(); next; next = left.shift()) {
      if (next.rate === rate && next.shape.join() === shape.join()) return next
    }
    throw new Error(`there is no mask [${shape}] with rate ${rate}`)
  }
  const lastUse = new Map(graph.nodes.flatMap(({ inputs }, i) => inputs.map(({ name }) => [name, i] as const)))
  for (const [i, node] of graph.nodes.entries()) {
    if (node.operation === 'Assign') continue // only evaluation reads what is assigned
    const inputs = node.inputs.map(({ name }) => known.get(name) as Exact)
    const shape = node.output.shape.map((length) => (isDynamic(length) ? length.examples * examples : length))
    known.set(node.output.name, { shape, values: OPERATIONS[node.operation]({ node, inputs, shape, mask }) })
    for (const { name } of node.inputs) if (lastUse.get(name) === i && name !== graph.output.name) known.delete(name)
  }
  return known.get(graph.output.name) as Exact
}

/** What an operation is done with. */
interface Given {
  node: Node<TrainingName>
  inputs: Exact[]
  /** Of the result. */
  shape: number[]
  mask(shape: number[], rate: number): Exact
}

type Operation = (given: Given) => Float64Array

const attribute = <T>({ node }: Given, name: string) => node.attributes[name] as T
const input = ({ inputs }: Given, i = 0): Exact => inputs[i] as Exact
/** Attributes that are numbers in single precision in files. */
const single = (given: Given, name: string) => Math.fround(attribute<number>(given, name))

/** Steps from one index to the next of each axis. */
const stepsIn = (shape: readonly number[]) => shape.map((_, axis) => sizeOf(shape.slice(axis + 1)))

/** The same of each axis of `shape`, along which a tensor is broadcast; 0 where it is. */
function stepsOf(own: readonly number[], shape: readonly number[]): number[] {
  const steps = stepsIn(own).map((step, axis) => (own[axis] === 1 ? 0 : step))
  return [...shape.slice(own.length).map(() => 0), ...steps]
}

/** Places in a tensor for each index of `shape`, from `start` by `steps`. */
function placesOf(shape: readonly number[], steps: readonly number[], start = 0): Int32Array {
  const places = new Int32Array(sizeOf(shape))
  if (places.length === 0) return places
  places[0] = start
  let filled = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const [block, step] = [filled, at(steps, axis)]
    for (let i = 1; i < at(shape, axis); i++) {
      for (let j = 0; j < block; j++) places[filled++] = at(places, j) + i * step
    }
  }
  return places
}

/** The values at some places. */
function taken({ values }: Exact, places: Int32Array): Float64Array {
  const found = new Float64Array(places.length)
  for (let i = 0; i < found.length; i++) found[i] = at(values, at(places, i))
  return found
}

/** A tensor repeated to a shape. */
function spread(x: Exact, shape: number[]): Float64Array {
  if (x.values.length === sizeOf(shape)) return x.values
  return taken(x, placesOf(shape, stepsOf(x.shape, shape)))
}

const unary =
  (run: (x: number) => number): Operation =>
  (given) => {
    const { values } = input(given)
    const found = new Float64Array(values.length)
    for (let i = 0; i < found.length; i++) found[i] = run(at(values, i))
    return found
  }

const binary =
  (run: (a: number, b: number) => number | boolean): Operation =>
  ({ inputs, shape }) => {
    const [a, b] = inputs.map((x) => spread(x, shape)) as [Float64Array, Float64Array]
    const found = new Float64Array(a.length)
    for (let i = 0; i < found.length; i++) found[i] = Number(run(at(a, i), at(b, i)))
    return found
  }

/** Folds what lies along some axes; `end` gets the number of values. */
const reduction =
  (start: number, fold: (sum: number, x: number) => number, end = (sum: number, _count: number) => sum): Operation =>
  (given) => {
    const x = input(given)
    const axes = attribute<number[]>(given, 'axes')
    const kept = x.shape.map((length, axis) => (axes.includes(axis) ? 1 : length))
    const sums = new Float64Array(sizeOf(kept)).fill(start)
    const places = placesOf(x.shape, stepsOf(kept, x.shape))
    for (let i = 0; i < places.length; i++) {
      const place = at(places, i)
      sums[place] = fold(at(sums, place), at(x.values, i))
    }
    return sums.map((sum) => end(sum, x.values.length / sums.length))
  }

/** Each row of `a` `[m, k]` by each of `b` `[n, k]`, into `[m, n]` of `into` from `place` on. */
function products(
  a: Float64Array,
  b: Float64Array,
  into: Float64Array,
  k: number,
  [ofA, ofB, place]: Three,
  m: number,
) {
  const n = (into.length - place) / m
  for (let i = 0; i < m; i++) {
    const row = ofA + i * k
    for (let j = 0; j < n; j += 4) {
      const first = ofB + j * k
      let [s0, s1, s2, s3] = [0, 0, 0, 0]
      if (j + 4 > n) {
        for (let one = j; one < n; one++) {
          let sum = 0
          for (let l = 0; l < k; l++) sum += at(a, row + l) * at(b, ofB + one * k + l)
          into[place + i * n + one] = sum
        }
        continue
      }
      const [second, third, fourth] = [first + k, first + 2 * k, first + 3 * k]
      for (let l = 0; l < k; l++) {
        const x = at(a, row + l)
        s0 += x * at(b, first + l)
        s1 += x * at(b, second + l)
        s2 += x * at(b, third + l)
        s3 += x * at(b, fourth + l)
      }
      const to = place + i * n + j
      into[to] = s0
      into[to + 1] = s1
      into[to + 2] = s2
      into[to + 3] = s3
    }
  }
}
type Three = [number, number, number]

/** A tensor with its last two axes turned. */
function turned({ shape, values }: Exact): Exact {
  const [rows, columns] = shape.slice(-2) as [number, number]
  const whole = [...shape.slice(0, -2), columns, rows]
  const steps = [...stepsIn(shape).slice(0, -2), 1, columns]
  return { shape: whole, values: taken({ shape, values }, placesOf(whole, steps)) }
}

const matMul: Operation = (given) => {
  const { shape } = given
  const a = attribute<boolean>(given, 'transposeA') ? turned(input(given)) : input(given)
  const b = attribute<boolean>(given, 'transposeB') ? input(given, 1) : turned(input(given, 1))
  const [m, n, k] = [at(shape, shape.length - 2), at(shape, shape.length - 1), a.shape.at(-1) as number]
  const front = shape.slice(0, -2)
  const [ofA, ofB] = [a, b].map((x) => placesOf(front, stepsOf(x.shape.slice(0, -2), front))) as [
    Int32Array,
    Int32Array,
  ]
  const found = new Float64Array(sizeOf(shape))
  for (let i = 0; i < ofA.length; i++) {
    const into = found.subarray(0, (i + 1) * m * n)
    products(a.values, b.values, into, k, [at(ofA, i) * m * k, at(ofB, i) * n * k, i * m * n], m)
  }
  return found
}

/** x `[rows, k]` by a weight `[n, k]`, and a bias where there is one. */
function linear(x: Float64Array, weight: Float64Array, bias: Float64Array | undefined, k: number): Float64Array {
  const [rows, units] = [x.length / k, weight.length / k]
  const found = new Float64Array(rows * units)
  products(x, weight, found, k, [0, 0, 0], rows)
  if (bias) for (let i = 0; i < found.length; i++) found[i] = at(found, i) + at(bias, i % units)
  return found
}

/** Rows over the last axis, each changed in its place. */
function byRow({ shape, values }: Exact, run: (row: Float64Array) => void): Float64Array {
  const [found, length] = [values.slice(), shape.at(-1) as number]
  for (let i = 0; i < found.length; i += length) run(found.subarray(i, i + length))
  return found
}

/** Less the mean, divided by the deviation. */
function normalise(row: Float64Array, eps: number): void {
  const mean = row.reduce((sum, x) => sum + x, 0) / row.length
  const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length
  for (let i = 0; i < row.length; i++) row[i] = (at(row, i) - mean) / Math.sqrt(variance + eps)
}

/** Calls `visit` for each window of images `[examples, h, w, channels]` with the place of its result, row by row. */
function windows(
  given: Given,
  size: readonly number[],
  visit: (result: number, inside: (see: (row: number, column: number, place: number) => void) => void) => void,
): void {
  const [, height, width, channels] = input(given).shape as [number, number, number, number]
  const [examples, rows, columns, units] = given.shape as [number, number, number, number]
  const [strides, [top, left]] = [attribute<number[]>(given, 'strides'), attribute<Three>(given, 'pad')]
  const { dilations = [1, 1] } = given.node.attributes as { dilations?: number[] }
  for (let result = 0; result < examples * rows * columns; result++) {
    const [example, row, column] = [
      Math.floor(result / (rows * columns)),
      Math.floor(result / columns) % rows,
      result % columns,
    ]
    visit(result * units, (see) => {
      for (let i = 0; i < at(size, 0); i++) {
        const y = row * at(strides, 0) + i * at(dilations, 0) - top
        if (y < 0 || y >= height) continue
        for (let j = 0; j < at(size, 1); j++) {
          const x = column * at(strides, 1) + j * at(dilations, 1) - left
          if (x >= 0 && x < width) see(i, j, ((example * height + y) * width + x) * channels)
        }
      }
    })
  }
}

/** By a filter `[out, in / groups, h, w]`. */
const conv2d: Operation = (given) => {
  const [image, filter, bias] = [input(given), input(given, 1), given.inputs[2]]
  const [units, depth, high, wide] = filter.shape as [number, number, number, number]
  const [groups, k] = [attribute<number>(given, 'groups'), depth * high * wide]
  const part = units / groups
  const found = new Float64Array(sizeOf(given.shape))
  const seen = new Float64Array(k)
  windows(given, [high, wide], (result, inside) => {
    for (let group = 0; group < groups; group++) {
      seen.fill(0)
      inside((row, column, place) => {
        for (let c = 0; c < depth; c++)
          seen[(c * high + row) * wide + column] = at(image.values, place + group * depth + c)
      })
      const place = result + group * part
      products(seen, filter.values, found.subarray(0, place + part), k, [0, group * part * k, place], 1)
    }
  })
  if (bias) for (let i = 0; i < found.length; i++) found[i] = at(found, i) + at(bias.values, i % units)
  return found
}

/** Of what windows have inside of the image. */
const pooled =
  (start: number, fold: (sum: number, x: number) => number, end: (sum: number, count: number) => number): Operation =>
  (given) => {
    const channels = at(given.shape, 3)
    const found = new Float64Array(sizeOf(given.shape)).fill(start)
    windows(given, attribute<number[]>(given, 'size'), (result, inside) => {
      let count = 0
      inside((_row, _column, place) => {
        count++
        for (let c = 0; c < channels; c++)
          found[result + c] = fold(at(found, result + c), at(input(given).values, place + c))
      })
      for (let c = 0; c < channels; c++) found[result + c] = end(at(found, result + c), count)
    })
    return found
  }

/** erf by a series whose terms are all positive: 2 / sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x)
  let [term, sum] = [x, x]
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** How each operation of a graph is done. */
const OPERATIONS: Record<TrainingName, Operation> = {
  ...{ Abs: unary(Math.abs), Ceil: unary(Math.ceil), Cos: unary(Math.cos), Erf: unary(erf), Exp: unary(Math.exp) },
  ...{ Elu: unary((x) => (x > 0 ? x : Math.expm1(x))), Floor: unary(Math.floor), Log: unary(Math.log) },
  ...{
    Gelu: unary((x) => 0.5 * x * (1 + erf(x / Math.SQRT2))),
    Neg: unary((x) => -x),
    Reciprocal: unary((x) => 1 / x),
  },
  ...{ Relu: unary((x) => Math.max(0, x)), Rsqrt: unary((x) => 1 / Math.sqrt(x)), Sign: unary(Math.sign) },
  ...{ Sigmoid: unary((x) => 1 / (1 + Math.exp(-x))), Sin: unary(Math.sin), Sqrt: unary(Math.sqrt) },
  ...{ Softplus: unary((x) => Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)))), Square: unary((x) => x * x) },
  ...{ Tanh: unary(Math.tanh), LogicalNot: unary((x) => Number(x === 0)) },
  ...{ Add: binary((a, b) => a + b), Sub: binary((a, b) => a - b), Multiply: binary((a, b) => a * b) },
  ...{ RealDiv: binary((a, b) => a / b), Pow: binary((a, b) => a ** b) },
  ...{ Maximum: binary(Math.max), Minimum: binary(Math.min) },
  ...{ Equal: binary((a, b) => a === b), NotEqual: binary((a, b) => a !== b), Greater: binary((a, b) => a > b) },
  ...{ GreaterEqual: binary((a, b) => a >= b), Less: binary((a, b) => a < b), LessEqual: binary((a, b) => a <= b) },
  ...{ LogicalAnd: binary((a, b) => a !== 0 && b !== 0), LogicalOr: binary((a, b) => a !== 0 || b !== 0) },
  ...{ Max: reduction(Number.NEGATIVE_INFINITY, Math.max), Min: reduction(Number.POSITIVE_INFINITY, Math.min) },
  Sum: reduction(0, (sum, x) => sum + x),
  Mean: reduction(
    0,
    (sum, x) => sum + x,
    (sum, count) => sum / count,
  ),
  MatMul: matMul,
  Linear: (given) => {
    const [x, weight, bias] = given.inputs as [Exact, Exact, Exact?]
    return linear(x.values, weight.values, bias?.values, x.shape.at(-1) as number)
  },
  Softmax: (given) =>
    byRow(input(given), (row) => {
      const most = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
      let sum = 0
      for (let i = 0; i < row.length; i++) {
        row[i] = Math.exp(at(row, i) - most)
        sum += at(row, i)
      }
      for (let i = 0; i < row.length; i++) row[i] = at(row, i) / sum
    }),
  LayerNorm: (given) => {
    const [, weight, bias] = given.inputs as [Exact, Exact, Exact]
    return byRow(input(given), (row) => {
      normalise(row, single(given, 'eps'))
      for (let i = 0; i < row.length; i++) row[i] = at(row, i) * at(weight.values, i) + at(bias.values, i)
    })
  },
  /** By the statistics of the batch. */
  BatchNorm: (given) => {
    const [x, weight, bias] = given.inputs as [Exact, Exact, Exact]
    const [channels, found] = [x.shape.at(-1) as number, new Float64Array(x.values.length)]
    for (let c = 0; c < channels; c++) {
      const column = new Float64Array(found.length / channels)
      for (let i = 0; i < column.length; i++) column[i] = at(x.values, i * channels + c)
      normalise(column, single(given, 'eps'))
      for (let i = 0; i < column.length; i++)
        found[i * channels + c] = at(column, i) * at(weight.values, c) + at(bias.values, c)
    }
    return found
  },
  Conv2D: conv2d,
  AvgPool: pooled(
    0,
    (sum, x) => sum + x,
    (sum, count) => sum / count,
  ),
  MaxPool: pooled(Number.NEGATIVE_INFINITY, Math.max, (most) => most),
  Transpose: (given) => {
    const [x, perm] = [input(given), attribute<number[]>(given, 'perm')]
    const steps = stepsIn(x.shape)
    return taken(
      x,
      placesOf(
        given.shape,
        perm.map((axis) => at(steps, axis)),
      ),
    )
  },
  Reshape: (given) => input(given).values,
  Slice: (given) => {
    const [x, axis] = [input(given), attribute<number>(given, 'axis')]
    const steps = stepsIn(x.shape)
    return taken(x, placesOf(given.shape, steps, attribute<number>(given, 'begin') * at(steps, axis)))
  },
  Concat: (given) => {
    const after = sizeOf(given.shape.slice(attribute<number>(given, 'axis') + 1))
    const lengths = given.inputs.map(({ shape }) => at(shape, attribute<number>(given, 'axis')) * after)
    const whole = lengths.reduce((sum, length) => sum + length, 0)
    const found = new Float64Array(sizeOf(given.shape))
    let place = 0
    for (const [i, { values }] of given.inputs.entries()) {
      const length = at(lengths, i)
      for (let j = 0; j * length < values.length; j++)
        found.set(values.subarray(j * length, (j + 1) * length), j * whole + place)
      place += length
    }
    return found
  },
  Pad: (given) => {
    const [{ shape, values }, before] = [input(given), attribute<number[]>(given, 'before')]
    const found = new Float64Array(sizeOf(given.shape)).fill(attribute<number>(given, 'value'))
    const steps = stepsIn(given.shape)
    const start = before.reduce((sum, count, axis) => sum + count * at(steps, axis), 0)
    for (const [i, place] of placesOf(shape, steps, start).entries()) found[place] = at(values, i)
    return found
  },
  Gather: (given) => {
    const [x, { values: indices }, axis] = [input(given), input(given, 1), attribute<number>(given, 'axis')]
    const [length, after] = [at(x.shape, axis), sizeOf(x.shape.slice(axis + 1))]
    const found = new Float64Array(sizeOf(given.shape))
    const whole = indices.length * after
    for (let i = 0; i * whole < found.length; i++) {
      for (let j = 0; j < indices.length; j++) {
        const from = (i * length + at(indices, j)) * after
        found.set(x.values.subarray(from, from + after), i * whole + j * after)
      }
    }
    return found
  },
  Select: ({ inputs, shape }) => {
    const [condition, yes, no] = inputs.map((x) => spread(x, shape)) as [Float64Array, Float64Array, Float64Array]
    return condition.map((is, i) => (is === 0 ? at(no, i) : at(yes, i)))
  },
  Cast: (given) => {
    const { dtype } = given.node.output
    if (dtype === 'float32') return input(given).values
    return input(given).values.map(dtype === 'int32' ? Math.trunc : (x) => Number(x !== 0))
  },
  Fill: (given) => new Float64Array(sizeOf(given.shape)).fill(attribute<number>(given, 'value')),
  Dropout: (given) => {
    const [x, { values: mask }] = [input(given), given.mask(given.shape, attribute<number>(given, 'rate'))]
    return x.values.map((value, i) => value * at(mask, i))
  },
  DropPath: (given) => {
    const one = given.shape.map((length, axis) => (axis === 0 ? length : 1))
    const mask = given.mask(one, attribute<number>(given, 'rate'))
    const each = spread(mask, given.shape)
    return input(given).values.map((value, i) => value * at(each, i))
  },
  Choose: (given) => input(given).values,
  Assign: (given) => input(given, 1).values,
}
