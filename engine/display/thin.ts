/** Places of at most about `limit` of `count` marks, evenly spread. */
export function spreadPlaces(count: number, limit: number): number[] {
  const step = Math.max(1, Math.ceil(count / limit))
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
}

/** Places of at most about `limit` of the points of a line: the ends, and the extremes of every stretch of it. */
export function extremes(values: ArrayLike<number | null>, limit: number): number[] {
  if (values.length <= limit) return Array.from(values, (_, i) => i)
  const stretches = Math.max(1, Math.floor(limit / 2))
  const kept = new Set([0, values.length - 1])
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * values.length) / stretches)
    const to = Math.floor(((stretch + 1) * values.length) / stretches)
    let [smallest, largest] = [from, from]
    for (let i = from; i < to; i++) {
      const value = values[i] ?? Number.NaN
      if (!(value >= (values[smallest] ?? Infinity))) smallest = Number.isNaN(value) ? smallest : i
      if (!(value <= (values[largest] ?? -Infinity))) largest = Number.isNaN(value) ? largest : i
    }
    kept.add(smallest).add(largest)
  }
  return [...kept].sort((a, b) => a - b)
}

/** A matrix that is read place by place. */
export interface MatrixReader {
  height: number
  width: number
  at(row: number, column: number): number | null
}

/** A matrix with at most `limit` rows and columns: means over blocks, without what is not finite. */
export function shrink({ height, width, at }: MatrixReader, limit: number): (number | null)[][] {
  const [rows, columns] = [Math.min(height, limit), Math.min(width, limit)]
  const block = (top: number, bottom: number, left: number, right: number) => {
    let [sum, count] = [0, 0]
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const value = at(row, column)
        if (value === null || !Number.isFinite(value)) continue
        sum += value
        count++
      }
    }
    return count > 0 ? sum / count : null
  }
  const edge = (i: number, parts: number, size: number) => Math.floor((i * size) / parts)
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) =>
      block(edge(i, rows, height), edge(i + 1, rows, height), edge(j, columns, width), edge(j + 1, columns, width)),
    ),
  )
}
