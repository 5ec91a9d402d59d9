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
  const size = sizeOf(shape)
  if (x.values.length === size) return x.values
  const own = x.shape.slice(x.shape.findIndex((length) => length > 1))
  if (x.values.length === 1 || own.join() === shape.slice(shape.length - own.length).join()) {
    const found = new Float64Array(size)
    if (x.values.length === 1) return found.fill(at(x.values, 0))
    for (let i = 0; i < size; i += x.values.length) found.set(x.values, i)
    return found
  }
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

/** Each row of `a` `[m, k]` by each of `b` `[n, k]`, from the places of a matrix in each, into `[m, n]` of `into`. */
function products(
  [a, ofA]: [Float64Array, number],
  [b, ofB]: [Float64Array, number],
  [into, to]: [Float64Array, number],
  [m, n, k]: readonly [number, number, number],
): void {
  const sum = (i: number, j: number) => {
    let sum = 0
    for (let l = 0; l < k; l++) sum += at(a, ofA + i * k + l) * at(b, ofB + j * k + l)
    into[to + i * n + j] = sum
  }
  const [rows, columns] = [m - (m % 2), n - (n % 4)]
  // eight sums at once, for what is read is what takes its time
  for (let i = 0; i < rows; i += 2) {
    for (let j = 0; j < columns; j += 4) {
      let [s0, s1, s2, s3, t0, t1, t2, t3] = [0, 0, 0, 0, 0, 0, 0, 0]
      const [x, w] = [ofA + i * k, ofB + j * k]
      for (let l = 0; l < k; l++) {
        const p = at(a, x + l)
        const q = at(a, x + k + l)
        const b0 = at(b, w + l)
        const b1 = at(b, w + k + l)
        const b2 = at(b, w + 2 * k + l)
        const b3 = at(b, w + 3 * k + l)
        s0 += p * b0
        s1 += p * b1
        s2 += p * b2
        s3 += p * b3
        t0 += q * b0
        t1 += q * b1
        t2 += q * b2
        t3 += q * b3
      }
      const [first, second] = [to + i * n + j, to + (i + 1) * n + j]
      into[first] = s0
      into[first + 1] = s1
      into[first + 2] = s2
      into[first + 3] = s3
      into[second] = t0
      into[second + 1] = t1
      into[second + 2] = t2
      into[second + 3] = t3
    }
    for (let j = columns; j < n; j++) for (const row of [i, i + 1]) sum(row, j)
  }
  for (let i = rows; i < m; i++) for (let j = 0; j < n; j++) sum(i, j)
}

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
    const [left, right] = [at(ofA, i) * m * k, at(ofB, i) * n * k]
    products([a.values, left], [b.values, right], [found, i * m * n], [m, n, k])
  }
  return found
}

/** x `[rows, k]` by a weight `[n, k]`, and a bias where there is one. */
function linear(x: Float64Array, weight: Float64Array, bias: Float64Array | undefined, k: number): Float64Array {
  const [rows, units] = [x.length / k, weight.length / k]
  const found = new Float64Array(rows * units)
  products([x, 0], [weight, 0], [found, 0], [rows, units, k])
  return bias ? withBias(found, bias) : found
}

function withBias(found: Float64Array, bias: Float64Array): Float64Array {
  for (let i = 0; i < found.length; i += bias.length) {
    for (let j = 0; j < bias.length; j++) found[i + j] = at(found, i + j) + at(bias, j)
  }
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
  let [mean, variance] = [0, 0]
  for (let i = 0; i < row.length; i++) mean += at(row, i) / row.length
  for (let i = 0; i < row.length; i++) variance += (at(row, i) - mean) ** 2 / row.length
  const by = 1 / Math.sqrt(variance + eps)
  for (let i = 0; i < row.length; i++) row[i] = (at(row, i) - mean) * by
}

/** Places in images `[examples, h, w, channels]` of what each window sees, `[windows, size]`; -1 outside. */
function windows(given: Given, [high, wide]: readonly [number, number]): Int32Array {
  const [, height, width, channels] = input(given).shape as [number, number, number, number]
  const [examples, rows, columns] = given.shape as [number, number, number]
  const [down, across] = attribute<[number, number]>(given, 'strides')
  const [top, left] = attribute<[number, number]>(given, 'pad')
  const { dilations = [1, 1] } = given.node.attributes as { dilations?: number[] }
  const places = new Int32Array(examples * rows * columns * high * wide)
  let filled = 0
  for (let example = 0; example < examples; example++) {
    for (let window = 0; window < rows * columns; window++) {
      const [y0, x0] = [Math.floor(window / columns) * down - top, (window % columns) * across - left]
      for (let i = 0; i < high * wide; i++) {
        const [y, x] = [y0 + Math.floor(i / wide) * at(dilations, 0), x0 + (i % wide) * at(dilations, 1)]
        const inside = y >= 0 && y < height && x >= 0 && x < width
        places[filled++] = inside ? ((example * height + y) * width + x) * channels : -1
      }
    }
  }
  return places
}

/** By a filter `[out, in / groups, h, w]`. */
const conv2d: Operation = (given) => {
  const [image, filter, bias] = [input(given), input(given, 1), given.inputs[2]]
  const [units, depth, high, wide] = filter.shape as [number, number, number, number]
  const [groups, k] = [attribute<number>(given, 'groups'), depth * high * wide]
  const [places, part, size] = [windows(given, [high, wide]), units / groups, high * wide]
  const count = places.length / size
  const found = new Float64Array(sizeOf(given.shape))
  const [seen, some] = [new Float64Array(count * k), new Float64Array(count * part)]
  for (let group = 0; group < groups; group++) {
    for (let i = 0; i < places.length; i++) {
      const place = at(places, i)
      const to = Math.floor(i / size) * k + (i % size)
      for (let c = 0; c < depth; c++) seen[to + c * size] = place < 0 ? 0 : at(image.values, place + group * depth + c)
    }
    products([seen, 0], [filter.values, group * part * k], [some, 0], [count, part, k])
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < part; j++) found[i * units + group * part + j] = at(some, i * part + j)
    }
  }
  return bias ? withBias(found, bias.values) : found
}

/** Of what windows have inside of the image. */
const pooled =
  (start: number, fold: (sum: number, x: number) => number, end: (sum: number, count: number) => number): Operation =>
  (given) => {
    const [channels, size] = [at(given.shape, 3), attribute<[number, number]>(given, 'size')]
    const [places, seen] = [windows(given, size), size[0] * size[1]]
    return Float64Array.from({ length: sizeOf(given.shape) }, (_, i) => {
      let [sum, count] = [start, 0]
      for (let j = 0; j < seen; j++) {
        const place = at(places, Math.floor(i / channels) * seen + j)
        if (place < 0) continue
        sum = fold(sum, at(input(given).values, place + (i % channels)))
        count++
      }
      return end(sum, count)
    })
  }

/** 2 / (2n + 1) */
const FACTORS = Float64Array.from({ length: 200 }, (_, n) => 2 / (2 * n + 1))

/** erf by a series whose terms are all positive: 2 / sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x)
  const square = x * x
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= at(FACTORS, n) * square
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-square) * sum
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
