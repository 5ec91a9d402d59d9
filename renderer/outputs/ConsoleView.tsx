import { createElement } from 'react'
import type { ConsoleLine } from '../protocol/output.ts'

const SHOWN = 1000

/** What a cell printed. Of very much, the end is shown. */
export function ConsoleView({ lines }: { lines: ConsoleLine[] }) {
  const hidden = Math.max(0, lines.length - SHOWN)
  const note = hidden > 0 && <span className="muted">{`... ${hidden} earlier lines\n`}</span>
  const properties = { className: 'console', 'data-testid': 'console' }
  const parts = inParts(lines.slice(hidden)).map(part)
  return createElement('pre', properties, note, ...parts) // they have no key but their place
}

/** Lines in a row of one level as one, for an element of each is slow to lay out. */
function inParts(lines: ConsoleLine[]): ConsoleLine[] {
  const parts: ConsoleLine[] = []
  for (const { level, text } of lines) {
    const last = parts.at(-1)
    if (last?.level === level) last.text += `${text}\n`
    else parts.push({ level, text: `${text}\n` })
  }
  return parts
}

function part({ level, text }: ConsoleLine) {
  return <span data-level={level}>{text}</span>
}
