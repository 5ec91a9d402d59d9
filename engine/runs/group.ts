import type { RunStatus } from '../records/run.ts'
import { spread } from '../study/summary.ts'
import type { Column } from './column.ts'
import type { CellValue, Spread } from './types.ts'

/** What a group shows in a column, of its runs by seed; see `RunGroup`. */
export function groupValue(column: Column, runs: { status: RunStatus; value: CellValue }[]): CellValue | Spread {
  const values = runs.map(({ value }) => value)
  if (column.kind === 'option') return shared(values)
  if (column.kind !== 'fact') return spreadOf(runs.filter(({ status }) => status === 'done').map(({ value }) => value))
  switch (column.name) {
    case 'started':
    case 'id':
      return Math.max(...values.map(Number))
    case 'seed':
      return stretches(values.map(Number))
    case 'status':
      return counted(values.map(String))
    case 'tags':
      return allOf(values.flatMap((value) => String(value ?? '').split(' '))).join(' ') || null
    case 'backend':
    case 'device':
    case 'notebook':
    case 'cell':
      return allOf(values.map((value) => String(value ?? ''))).join(', ') || null
    default:
      return shared(values) ?? spreadOf(values)
  }
}

function shared(values: CellValue[]): CellValue {
  const [first = null] = values
  return values.every((value) => value === first) ? first : null
}

function spreadOf(values: CellValue[]): Spread | null {
  const numbers = values.filter((value) => typeof value === 'number')
  const { mean, sd } = spread(numbers)
  return mean === null ? null : { mean, sd, n: numbers.length }
}

function allOf(values: string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '').sort()
}

/** Whole numbers in few words: `1–6`, `0, 2, 5`. */
function stretches(numbers: number[]): string {
  const found: [from: number, to: number][] = []
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  const text = ([from, to]: [number, number]) => (to > from + 1 ? `${from}–${to}` : to > from ? `${from}, ${to}` : from)
  return found.map(text).join(', ')
}

/** `done`, or `5 done, 1 failed`. */
function counted(statuses: string[]): string {
  const counts = Map.groupBy(statuses, (status) => status)
  if (counts.size === 1) return statuses[0] ?? ''
  return [...counts].map(([status, { length }]) => `${length} ${status}`).join(', ')
}
