// Derivatives in float64, in plain TypeScript: nothing here is of the engine, so that the engine can be held against it.

/** A tensor, row by row, that knows what it was computed from. */
export interface Node {
  shape: number[]
  values: Float64Array
  /** The derivative of what `backward` was called with by these values. */
  grad: Float64Array
  from: Node[]
  /** Adds to the gradients of `from`. */
  back(): void
}

const sizeOf = (shape: number[]) => shape.reduce((product, length) => product * length, 1)

function node(shape: number[], values: Float64Array, from: Node[], back: (node: Node) => void): Node {
  if (values.length !== sizeOf(shape)) throw new Error(`${values.length} values of [${shape}]`)
  const made: Node = { shape, values, grad: new Float64Array(values.length), from, back: () => back(made) }
  return made
}

export const leaf = (shape: number[], values: ArrayLike<number>): Node =>
  node(shape, Float64Array.from(values), [], () => {})

/** So many equal values. */
export const filled = (shape: number[], value: number): Node => leaf(shape, new Float64Array(sizeOf(shape)).fill(value))

/** f of every value; `slope` is its derivative. */
export function map(x: Node, f: (value: number) => number, slope: (value: number) => number): Node {
  return node(x.shape, x.values.map(f), [x], ({ grad }) => {
    grad.forEach((g, i) => {
      x.grad[i] = at(x.grad, i) + g * slope(at(x.values, i))
    })
  })
}

export const reshape = (x: Node, shape: number[]): Node =>
  node(shape, x.values, [x], ({ grad }) => {
    grad.forEach((g, i) => {
      x.grad[i] = at(x.grad, i) + g
    })
  })

/** The values of both, one list after the other. */
export function join(a: Node, b: Node): Node {
  const values = Float64Array.from([...a.values, ...b.values])
  return node([values.length], values, [a, b], ({ grad }) => {
    grad.forEach((g, i) => {
      const [to, place] = i < a.values.length ? [a, i] : [b, i - a.values.length]
      to.grad[place] = at(to.grad, place) + g
    })
  })
}

/** The values at those places of the list of all values; 0 where a place is negative. */
export function gather(x: Node, shape: number[], places: ArrayLike<number>): Node {
  const values = Float64Array.from(places, (place) => (place < 0 ? 0 : at(x.values, place)))
  return node(shape, values, [x], ({ grad }) => {
    grad.forEach((g, i) => {
      const place = at(places, i)
      if (place >= 0) x.grad[place] = at(x.grad, place) + g
    })
  })
}

/** Sums of products, by the letters of the axes: `einsum('bnd,ed->bne', x, w)`. */
export function einsum(axes: string, a: Node, b: Node): Node {
  const [inputs = '', to = ''] = axes.split('->')
  const [ofA = '', ofB = ''] = inputs.split(',')
  const lengths = new Map<string, number>()
  for (const [letters, { shape }] of [[ofA, a] as const, [ofB, b] as const]) {
    if (letters.length !== shape.length) throw new Error(`${axes} of [${a.shape}] and [${b.shape}]`)
    for (const [i, letter] of [...letters].entries()) {
      if ((lengths.get(letter) ?? shape[i]) !== shape[i]) throw new Error(`${axes} of [${a.shape}] and [${b.shape}]`)
      lengths.set(letter, at(shape, i))
    }
  }
  const shape = [...to].map((letter) => lengths.get(letter) as number)
  const values = new Float64Array(sizeOf(shape))
  const each = (visit: (i: number, j: number, k: number) => void) => over(lengths, [ofA, ofB, to], visit)
  each((i, j, k) => {
    values[k] = at(values, k) + at(a.values, i) * at(b.values, j)
  })
  return node(shape, values, [a, b], ({ grad }) => {
    each((i, j, k) => {
      a.grad[i] = at(a.grad, i) + at(grad, k) * at(b.values, j)
      b.grad[j] = at(b.grad, j) + at(grad, k) * at(a.values, i)
    })
  })
}

/** Visits every combination of the axes with the places in three tensors that have some of them. */
function over(lengths: Map<string, number>, tensors: string[], visit: (i: number, j: number, k: number) => void): void {
  const letters = [...lengths.keys()]
  const steps = tensors.map((own) =>
    letters.map((letter) => {
      const after = own.includes(letter) ? [...own.slice(own.indexOf(letter) + 1)] : null
      return after ? sizeOf(after.map((other) => lengths.get(other) as number)) : 0
    }),
  ) as [number[], number[], number[]]
  const walk = (axis: number, i: number, j: number, k: number) => {
    if (axis === letters.length) return visit(i, j, k)
    const [down, across, out] = steps.map((own) => at(own, axis)) as [number, number, number]
    const length = lengths.get(letters[axis] as string) as number
    for (let n = 0; n < length; n++) walk(axis + 1, i + n * down, j + n * across, k + n * out)
  }
  walk(0, 0, 0, 0)
}

/** Tensors of the same shape. */
export function add(a: Node, b: Node): Node {
  if (a.shape.join() !== b.shape.join()) throw new Error(`[${a.shape}] + [${b.shape}]`)
  const values = a.values.map((value, i) => value + at(b.values, i))
  return node(a.shape, values, [a, b], ({ grad }) => {
    grad.forEach((g, i) => {
      a.grad[i] = at(a.grad, i) + g
      b.grad[i] = at(b.grad, i) + g
    })
  })
}

/** The derivatives of one number by all that it was computed from. */
export function backward(result: Node): void {
  const order: Node[] = []
  const seen = new Set<Node>()
  const visit = (each: Node) => {
    if (seen.has(each)) return
    seen.add(each)
    each.from.forEach(visit)
    order.push(each)
  }
  visit(result)
  for (const each of order) each.grad.fill(0)
  result.grad.fill(1)
  for (const each of order.reverse()) each.back()
}

function at(values: ArrayLike<number>, i: number): number {
  return values[i] as number
}
