import type { ErrorCode } from '../../engine/errors.ts'
import type { StudyView } from '../study/view.ts'

/** What a cell shows below its code. Plain data; stored with the notebook. */
export interface Output {
  version: 1
  ended: 'done' | 'failed' | 'interrupted'
  console: ConsoleLine[]
  value: ValueView | null
  error: CellError | null
  studies: StudyView[]
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
}

export const EMPTY_OUTPUT: Output = {
  version: 1,
  ended: 'done',
  console: [],
  value: null,
  error: null,
  studies: [],
}

/** A stored output, or null where it is from another version or damaged. */
export function parseOutput(stored: unknown): Output | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { version, console, studies } = stored as Partial<Output>
  if (version !== 1 || !Array.isArray(console) || !Array.isArray(studies)) return null
  if (!studies.every((study) => Array.isArray(study.runs) && Array.isArray(study.variants))) return null
  return { ...EMPTY_OUTPUT, ...(stored as Output) }
}
