import { clipped } from '../../engine/errors.ts'
import type { CellConsole } from '../../engine/notebook/evaluate.ts'
import type { ConsoleLine, ValueView } from '../protocol/output.ts'
import { preview } from './preview.ts'
import { viewOf } from './view.ts'

/** Lines that one run of a cell may print, and their characters; a loop that prints must not fill the memory of the page. */
export const MAX_LINES = 2000
const MAX_CHARACTERS = 1_000_000

/**
 * A console for a cell; every call becomes one line. What comes after so many lines, or so long ones, is dropped, and
 * `full` called: a loop that never ends prints no line after these.
 */
export function captureConsole(print: (line: ConsoleLine) => void, full: () => void): CellConsole {
  let lines = 0
  let characters = 0
  const isFull = () => lines >= MAX_LINES || characters >= MAX_CHARACTERS
  const at =
    (level: ConsoleLine['level']) =>
    (...values: unknown[]) => {
      if (isFull()) return
      const text = clipped(values.map((value) => preview(value).text).join(' '))
      lines += 1
      characters += text.length
      print({ level, text })
      if (!isFull()) return
      print({ level: 'warn', text: `what follows these ${lines} lines is not shown` })
      full()
    }
  return { debug: at('log'), log: at('log'), info: at('log'), warn: at('warn'), error: at('error') }
}

/** Values that one run of a cell may display; figures take more room than lines. */
export const MAX_VALUES = 100

/** What a cell displays. */
export interface CapturedDisplay {
  display(...values: unknown[]): void
  /** Shows what takes its time, in its place, once the cell has ended: only then may tensors be made for it. */
  settle(): Promise<void>
}

/** A `display` for a cell; what comes after `MAX_VALUES` is dropped. `later` gives what cannot be seen at once, or null. */
export function captureDisplay(
  show: (value: ValueView) => void,
  later: (value: unknown) => (() => Promise<ValueView>) | null = () => null,
): CapturedDisplay {
  let shown = 0
  const waiting: (() => ValueView | Promise<ValueView>)[] = []
  const add = (view: ValueView) => {
    if (waiting.length > 0) waiting.push(() => view)
    else show(view)
  }
  return {
    display(...values) {
      for (const value of values) {
        shown += 1
        if (shown > MAX_VALUES) return
        const view = later(value)
        if (view) waiting.push(view)
        else add(viewOf(value))
        if (shown === MAX_VALUES) add({ kind: 'note', text: `what follows these ${MAX_VALUES} values is not shown` })
      }
    },
    async settle() {
      for (const view of waiting.splice(0)) show(await view())
    },
  }
}
