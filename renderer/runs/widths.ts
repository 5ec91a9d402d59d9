import type { Column } from '../../engine/runs/column.ts'
import { columnTitle, isNumeric } from '../../engine/runs/format.ts'

const FACTS: Readonly<Partial<Record<string, number>>> = {
  id: 60,
  study: 130,
  variant: 150,
  seed: 60,
  status: 90,
  step: 70,
  started: 140,
  time: 100,
  tags: 130,
  note: 180,
  device: 200,
  error: 240,
  key: 150,
}

const LETTER = 6.5 // px of a title

/** Pixels that a column asks for; a wider table shares the rest among its columns. */
export function widthOf(column: Column, grouped: boolean): number {
  const known = column.kind === 'fact' ? FACTS[column.name] : undefined
  const spread = grouped && (column.kind === 'metric' || column.kind === 'step' || column.name === 'time')
  const title = Math.min(180, 30 + LETTER * columnTitle(column).length)
  return Math.max(known ?? (isNumeric(column) ? 80 : 90), spread ? 160 : 0, known ? 0 : title)
}

/** The first columns stay in view, up to the name of the variant, where it is one of the first. */
export function staying(columns: Column[]): number {
  return columns.slice(0, 4).findIndex(({ kind, name }) => kind === 'fact' && name === 'variant') + 1
}
