import { plot } from '../../engine/display/plot.ts'
import type { Marks } from '../../engine/display/types.ts'
import { messageOf } from '../../engine/errors.ts'
import type { SqlResult } from '../../engine/host.ts'
import type { QueryChart } from '../protocol/output.ts'

/** The chart that is offered first: the last column of numbers over the first column; null where there are no numbers. */
export function firstChart({ columns, rows }: SqlResult): QueryChart | null {
  const kindOf = (column: number) => typeof rows.map((row) => row[column]).find((value) => value != null)
  const numeric = columns.filter((_, column) => kindOf(column) === 'number')
  const y = numeric.at(-1)
  const [x = null] = columns
  if (y === undefined) return null
  return { mark: kindOf(0) === 'string' ? 'bar' : 'line', x: x === y ? null : x, y, color: null }
}

/** The rows of an answer as marks, or why that cannot be. */
export function queryMarks({ columns, rows }: SqlResult, chart: QueryChart): { figure: Marks } | { problem: string } {
  const { mark, x, y, color } = chart
  const valuesOf = (name: string) => rows.map((row) => row[columns.indexOf(name)] ?? null)
  const missing = [x, y, color].find((name) => name !== null && !columns.includes(name))
  if (missing != null) return { problem: `The answer has no column '${missing}'.` }
  const numbers = valuesOf(y)
  if (numbers.some((value) => typeof value === 'string')) return { problem: `'${y}' has texts: y needs numbers.` }
  try {
    return {
      figure: plot[mark]({
        y: numbers as (number | null)[],
        yLabel: y,
        xLabel: x ?? 'row',
        ...(x === null ? {} : { x: valuesOf(x) }),
        ...(color === null ? {} : { color: valuesOf(color) }),
      }),
    }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
