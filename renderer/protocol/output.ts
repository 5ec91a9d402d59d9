import type { OpenFigure } from '../../engine/display/types.ts'
import type { ErrorCode } from '../../engine/errors.ts'
import type { SqlResult } from '../../engine/host.ts'
import type { Body } from './body.ts'
import type { StudyView } from './study.ts'

/** What a cell shows below its code. Plain data; stored with the notebook. */
export interface CellOutputView {
  version: 1
  ended: 'done' | 'failed' | 'interrupted'
  /** The text of the code cell that made it; null for a query. */
  source: string | null
  console: ConsoleLine[]
  /** What `display` has shown. */
  displays: ValueView[]
  value: ValueView | null
  error: CellError | null
  studies: StudyView[]
  /** What the store has answered an SQL cell. */
  query: QueryView | null
  /** How long the cell took, in ms; null where it did not end by itself. */
  ms: number | null
}

export interface ConsoleLine {
  level: 'log' | 'warn' | 'error'
  text: string
}

export interface CellError {
  code: ErrorCode
  /** The bad value, e.g. `train.batch`, or the path that may not be read. */
  path: string
  message: string
  /** Line within the cell, from 1. */
  line: number | null
}

/** A value as it is shown: a few words, and for larger things the text behind them. */
export interface ValueView {
  /** The type in short: `number`, `tensor [2, 3] float32`. */
  kind: string
  text: string
  /** What is shown in place of the text; left out where the text says it all. */
  body?: Body
  /** A figure whose runs are read of the store once the cell has ended; it has no body before. */
  open?: OpenFigure
}

export interface QueryView extends SqlResult {
  /** When it was answered, in ms since 1970. */
  at: number
  /** How it is drawn; null where it is a table. */
  chart: QueryChart | null
}

/** Columns by their names. */
export interface QueryChart {
  mark: 'line' | 'scatter' | 'bar'
  /** Null for the place of the row. */
  x: string | null
  y: string
  /** What makes one line or colour of its own; null for none. */
  color: string | null
}

export const EMPTY_OUTPUT: CellOutputView = {
  version: 1,
  ended: 'done',
  source: null,
  console: [],
  displays: [],
  value: null,
  error: null,
  studies: [],
  query: null,
  ms: null,
}

/** A stored output, or null where it is from another version or damaged. */
export function parseOutput(stored: unknown): CellOutputView | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { version, console, studies } = stored as Partial<CellOutputView>
  if (version !== 1 || !Array.isArray(console) || !Array.isArray(studies)) return null
  if (!studies.every((study) => Array.isArray(study.runs) && Array.isArray(study.variants))) return null
  const known = studies.map((study) => ({ ...study, blocks: study.blocks ?? {} })) // those of before have none
  return { ...EMPTY_OUTPUT, ...(stored as CellOutputView), studies: known }
}
