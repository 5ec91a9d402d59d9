/** One metric of one run: `values[i]` was taken after `steps[i]` optimizer steps. Steps ascend. */
export interface Line {
  steps: number[]
  values: number[]
}

/** Mean and sample standard deviation over runs at each step. */
export interface Band {
  steps: number[]
  mean: number[]
  /** Zero where only one run is given. */
  sd: number[]
}

/** Brings runs onto the steps of the densest one and summarises them where every run has values. */
export function band(lines: Line[]): Band {
  const filled = lines.filter((line) => line.steps.length > 0)
  const densest = filled.reduce<Line | null>((a, b) => (a && a.steps.length >= b.steps.length ? a : b), null)
  const result: Band = { steps: [], mean: [], sd: [] }
  for (const step of densest?.steps ?? []) {
    const values = filled.map((line) => valueAt(line, step))
    if (values.some(Number.isNaN)) continue
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    result.steps.push(step)
    result.mean.push(mean)
    result.sd.push(values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0)
  }
  return result
}

/** The value at `step`, on the straight line between its neighbours; NaN outside the line. */
export function valueAt({ steps, values }: Line, step: number): number {
  let low = 0
  let high = steps.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle] ?? Number.NaN) < step) low = middle + 1
    else high = middle
  }
  const right = steps[low] ?? Number.NaN
  const upper = values[low] ?? Number.NaN
  if (right === step) return upper
  const left = steps[low - 1] ?? Number.NaN
  const lower = values[low - 1] ?? Number.NaN
  return right < step ? Number.NaN : lower + ((upper - lower) * (step - left)) / (right - left)
}
