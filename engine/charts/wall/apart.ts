/** Cells along each axis of a small chart: of a third of a dot, where it is some 200 pixels wide. */
const CELLS = 100

/** Names the cell of a place in a chart of some values, each axis with whether it is logarithmic. */
export function cellsOf(...axes: [values: number[], log: boolean][]): (...place: number[]) => string {
  const scales = axes.map(([values, log]) => {
    const scaled = (value: number) => (log ? Math.log(value) : value)
    const known = values.map(scaled).filter(Number.isFinite)
    const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    return (value: number) => Math.round(((scaled(value) - low) / (high - low || 1)) * CELLS)
  })
  return (...place) => place.map((value, axis) => scales[axis]?.(value)).join(' ')
}

/** The first row of each cell. */
export function firstOfEach<Row>(rows: Row[], cellOf: (row: Row) => string): Row[] {
  return [...new Map(rows.toReversed().map((row) => [cellOf(row), row])).values()].toReversed()
}
