/** The values of a tensor in a few numbers. */
export interface Range {
  /** What the tensor is called. */
  name: string
  shape: readonly number[]
  /** Of the finite values; null where there are none. */
  span: [min: number, max: number] | null
  /** How many values are NaN, and how many infinite. */
  nan: number
  infinite: number
}

export function rangeOf(values: ArrayLike<number>, shape: readonly number[], name: string): Range {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let nan = 0
  let infinite = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (Number.isNaN(value)) nan++
    else if (!Number.isFinite(value)) infinite++
    else {
      if (value < min) min = value
      if (value > max) max = value
    }
  }
  return { name, shape, span: min <= max ? [min, max] : null, nan, infinite }
}

/** `x [8, 16] from -0.31 to 4.2, 3 NaN`. */
export function rangeText({ name, shape, span, nan, infinite }: Range): string {
  const what = `${name} [${shape.join(', ')}]`.trim()
  const parts = [
    ...(span
      ? [span[0] === span[1] ? `${what} of ${short(span[0])}` : `${what} from ${short(span[0])} to ${short(span[1])}`]
      : [what]),
    ...(nan > 0 ? [`${nan} NaN`] : []),
    ...(infinite > 0 ? [`${infinite} infinite`] : []),
  ]
  return parts.join(', ')
}

/** Three digits; of large numbers with an exponent. */
export function short(value: number): string {
  const size = Math.abs(value)
  return size >= 1e6 && size < Number.POSITIVE_INFINITY ? value.toExponential(2) : String(Number(value.toPrecision(3)))
}
