import { createElement } from 'react'
import type { ConsoleLine } from '../protocol/output.ts'

const SHOWN = 1000

/** What a cell printed. Of very much, the end is shown. */
export function ConsoleView({ lines }: { lines: ConsoleLine[] }) {
  const hidden = Math.max(0, lines.length - SHOWN)
  const note = hidden > 0 && <span className="muted">{`... ${hidden} earlier lines\n`}</span>
  const properties = { className: 'console', 'data-testid': 'console' }
  return createElement('pre', properties, note, ...lines.slice(hidden).map(line)) // lines have no key but their place
}

function line({ level, text }: ConsoleLine) {
  return <span data-level={level}>{`${text}\n`}</span>
}
