/**
 * Indices of shaders as sums of digits. Reshapes, transpositions, slices and broadcasts of a tensor are arithmetic on the
 * index of an element; kept as digits of the few numbers that a shader counts with, most divisions cancel out before
 * there is a shader.
 */

/** A number from 0 to below `size`: an expression in WGSL of type u32. */
export interface Base {
  name: string
  size: number
}

/** floor(base / div) % mod * stride. */
interface Term {
  base: Base
  div: number
  mod: number
  stride: number
}

/** offset + the sum of the terms. */
export interface Index {
  terms: Term[]
  offset: number
}

export const ZERO: Index = { terms: [], offset: 0 }

/** The number itself. */
export function whole(base: Base): Index {
  if (base.size === 1) return ZERO
  return { terms: [{ base, div: 1, mod: base.size, stride: 1 }], offset: 0 }
}

export function scaled({ terms, offset }: Index, by: number): Index {
  if (by === 0) return ZERO
  return { terms: terms.map((term) => ({ ...term, stride: term.stride * by })), offset: offset * by }
}

export function plus(...indices: Index[]): Index {
  const terms = indices.flatMap((index) => index.terms).sort((a, b) => b.stride - a.stride)
  const joined: Term[] = []
  for (const term of terms) {
    const last = joined.at(-1)
    if (last && continues(last, term)) joined[joined.length - 1] = { ...term, mod: term.mod * last.mod }
    else joined.push(term)
  }
  return { terms: joined, offset: indices.reduce((sum, { offset }) => sum + offset, 0) }
}

/** Whether `high` is the digit above `low` of the same number. */
function continues(high: Term, low: Term): boolean {
  const same = high.base.name === low.base.name && high.base.size === low.base.size
  return same && high.div === low.div * low.mod && high.stride === low.stride * low.mod
}

/** The largest value. */
export function largest({ terms, offset }: Index): number {
  return terms.reduce((sum, { mod, stride }) => sum + (mod - 1) * stride, offset)
}

/** floor(index / div) % mod. */
export function digit(index: Index, div: number, mod: number): Index {
  if (mod === 1) return ZERO
  if (div === 1 && largest(index) < mod) return index
  return digitOfTerms(index, div, mod) ?? digitOfTerms(opaque(index), div, mod) ?? ZERO
}

/** The digit as terms, or null where a carry from lower ones may change it. */
function digitOfTerms(index: Index, div: number, mod: number): Index | null {
  const low: Index = { terms: [], offset: index.offset % div }
  const own: Index = { terms: [], offset: Math.floor(index.offset / div) % mod }
  const waiting = [...index.terms]
  for (let term = waiting.pop(); term; term = waiting.pop()) {
    const { stride } = term
    const end = stride * term.mod
    const parts = splitAt(term, div) ?? splitAt(term, div * mod)
    if (parts === 'no') return null
    if (parts) waiting.push(...parts)
    else if (end <= div) low.terms.push(term)
    else if (stride % div !== 0) return null
    else if (stride % (div * mod) === 0) continue
    else own.terms.push({ ...term, stride: stride / div })
  }
  return largest(low) < div && largest(own) < mod ? plus(own) : null
}

/** A term in two where its values lie on both sides of `border`; 'no' where that cannot be done. */
function splitAt(term: Term, border: number): Term[] | 'no' | null {
  const { base, div, mod, stride } = term
  if (stride >= border || stride * mod <= border) return null
  const below = border / stride
  const isTop = div * mod >= base.size
  if (!Number.isInteger(below) || (mod % below !== 0 && !isTop)) return 'no'
  return [
    { base, div, mod: below, stride },
    { base, div: div * below, mod: Math.ceil(mod / below), stride: border },
  ]
}

/** The same index as a number of its own. */
function opaque(index: Index): Index {
  return whole({ name: `(${text(index)})`, size: largest(index) + 1 })
}

/** A number whose name is any expression in WGSL. */
export function number(expression: string, size: number): Index {
  return whole({ name: `(${expression})`, size })
}

/** The coordinates of the element at `index` of a tensor. */
export function coordinates(index: Index, shape: readonly number[]): Index[] {
  let stride = shape.reduce((size, length) => size * length, 1)
  return shape.map((length) => {
    stride /= length
    return digit(index, stride, length)
  })
}

/** The index of the element at these coordinates. */
export function linear(coordinates: readonly Index[], shape: readonly number[]): Index {
  let stride = shape.reduce((size, length) => size * length, 1)
  return plus(
    ...coordinates.map((coordinate, axis) => {
      stride /= shape[axis] as number
      return scaled(coordinate, stride)
    }),
  )
}

/** In WGSL, of type u32. */
export function text({ terms, offset }: Index): string {
  const parts = terms.map(({ base, div, mod, stride }) => {
    const divided = div === 1 ? base.name : `(${base.name} / ${div}u)`
    const cut = div * mod >= base.size ? divided : `(${divided} % ${mod}u)`
    return stride === 1 ? cut : `${cut} * ${stride}u`
  })
  if (offset !== 0 || parts.length === 0) parts.push(`${offset}u`)
  return parts.join(' + ')
}

/** By how much the index rises with `name`, where that is the same everywhere; 0 where it does not depend on it. */
export function strideOf({ terms }: Index, name: string): number | null {
  const own = terms.filter(({ base }) => base.name.includes(name))
  if (own.length === 0) return 0
  const lowest = own.find(({ base, div }) => base.name === name && div === 1)
  return lowest?.stride ?? null
}

/** Whether two indices are the same sum. */
export function equal(a: Index, b: Index): boolean {
  return text(a) === text(b)
}
