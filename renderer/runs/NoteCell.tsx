import { useCallback, useEffect, useRef, useState } from 'react'
import type { RunLine } from '../../engine/runs/types.ts'
import { host } from '../host/state.ts'
import { act } from './act.ts'
import { useTable } from './state.ts'

/** The note of a run; a click, or F2, begins to write it, Enter keeps it. */
export function NoteCell({ run, refresh }: { run: RunLine; refresh(): void }) {
  const writing = useTable((state) => state.writing === run.id)
  if (writing) return <NoteInput run={run} refresh={refresh} />
  return (
    <td title={run.note || undefined}>
      <button
        type="button"
        tabIndex={-1}
        className="note"
        aria-label={run.note ? undefined : 'Write a note'}
        data-testid="note"
        onClick={() => useTable.setState({ writing: run.id })}
      >
        {run.note}
      </button>
    </td>
  )
}

function NoteInput({ run, refresh }: { run: RunLine; refresh(): void }) {
  const [text, setText] = useState(run.note)
  const input = useRef<HTMLInputElement>(null)
  const kept = useRef(run.note)
  const latest = useRef(text)
  latest.current = text

  const keep = useCallback(async () => {
    const note = latest.current
    if (note === kept.current) return true
    const before = kept.current
    kept.current = note
    const done = await act(() => host().noteRun(run.id, note), refresh)
    if (!done) kept.current = before
    return done
  }, [run.id, refresh])

  useEffect(() => input.current?.focus(), [])
  // The row may scroll out of the page while its note is written.
  useEffect(() => () => void keep(), [keep])

  async function leave(): Promise<void> {
    if (await keep()) useTable.setState({ writing: null })
  }

  return (
    <td>
      <input
        ref={input}
        className="note"
        value={text}
        aria-label={`Note of run ${run.id}`}
        data-testid="note-input"
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void leave()}
        onKeyDown={(event) => {
          if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
          if (event.key === 'Escape') latest.current = kept.current
          const grid = event.currentTarget.closest('table')
          void leave().then(() => grid?.focus())
        }}
      />
    </td>
  )
}
