import { Suspense, useEffect, useMemo, useState } from 'react'
import { proseIn } from '../analysis/analysis.ts'
import { CodeEditor } from '../editor/load.ts'
import { ProseView } from '../markdown/Markdown.tsx'
import { boundedProse, isLong, isQuick, type Prose } from '../markdown/prose.ts'
import { select } from '../session/actions.ts'
import type { CellBodyProps } from './cellBody.ts'

/** Text to read, or to write while `editing`. */
export function MarkdownCell({ cell, editing }: CellBodyProps) {
  if (editing) {
    return (
      <Suspense>
        <CodeEditor
          cellKey={cell.key}
          value={cell.source}
          language="markdown"
          label={`text of ${cell.id}`}
          focused
          problem={null}
          onFocus={() => {}}
          onEscape={() => select(cell.key)}
        />
      </Suspense>
    )
  }
  return (
    <div className="markdown">
      {cell.source.trim() ? (
        <CellProse source={cell.source} />
      ) : (
        <p className="empty">Empty text. Press Enter to write.</p>
      )}
    </div>
  )
}

/** The text of a cell, set. What takes its time is set elsewhere, and stands there as it is until then, or for good. */
function CellProse({ source }: { source: string }) {
  const quick = useMemo(() => (isQuick(source) ? boundedProse(source) : null), [source])
  return quick ? <ProseView prose={quick} /> : <LaterProse source={source} />
}

/** Characters of a text that stay as they are. */
const MAX_PLAIN = 20_000

function LaterProse({ source }: { source: string }) {
  const [prose, setProse] = useState<Prose | null>(null)
  useEffect(() => {
    if (isLong(source)) return
    let wanted = true
    void proseIn(source).then((read) => wanted && setProse(read))
    return () => {
      wanted = false
    }
  }, [source])
  if (prose) return <ProseView prose={prose} />
  return (
    <div className="prose">
      <pre>{source.slice(0, MAX_PLAIN)}</pre>
      {source.length > MAX_PLAIN && <p>{`${source.length - MAX_PLAIN} more characters; Enter shows them.`}</p>}
    </div>
  )
}
