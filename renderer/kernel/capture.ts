import type { CellConsole } from '../../engine/notebook/evaluate.ts'
import type { ConsoleLine } from '../outputs/output.ts'
import { preview } from './preview.ts'

/** A console for a cell; every call becomes one line. */
export function captureConsole(print: (line: ConsoleLine) => void): CellConsole {
  const at =
    (level: ConsoleLine['level']) =>
    (...values: unknown[]) =>
      print({ level, text: values.map((value) => preview(value).text).join(' ') })
  return { debug: at('log'), log: at('log'), info: at('log'), warn: at('warn'), error: at('error') }
}
