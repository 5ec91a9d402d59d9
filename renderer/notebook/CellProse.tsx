import { useEffect, useMemo, useState } from 'react'
import { proseIn } from '../analysis/analysis.ts'
import { ProseView } from '../markdown/Markdown.tsx'
import { boundedProse, isQuick, LONG, type Prose } from '../markdown/prose.ts'

/** The text of a cell, set. What takes its time is set elsewhere, and stands there as it is until then, or for good. */
export function CellProse({ source }: { source: string }) {
  const quick = useMemo(() => (isQuick(source) ? boundedProse(source) : null), [source])
  return quick ? <ProseView prose={quick} /> : <LaterProse source={source} />
}

/** Characters of a text that stay as they are. */
const MOST_PLAIN = 20_000

function LaterProse({ source }: { source: string }) {
  const [prose, setProse] = useState<Prose | null>(null)
  useEffect(() => {
    if (source.length > LONG) return
    let wanted = true
    void proseIn(source).then((read) => wanted && setProse(read))
    return () => {
      wanted = false
    }
  }, [source])
  if (prose) return <ProseView prose={prose} />
  return (
    <div className="prose">
      <pre>{source.slice(0, MOST_PLAIN)}</pre>
      {source.length > MOST_PLAIN && <p>{`${source.length - MOST_PLAIN} more characters; Enter shows them.`}</p>}
    </div>
  )
}
