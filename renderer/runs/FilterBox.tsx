import { useEffect, useId, useState } from 'react'
import { completions } from '../../engine/runs/complete.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import { setFilter, useTable } from './state.ts'

const SETTLE = 120 // ms without a key

/** The filter of the table; it is applied a moment after the last key. */
export function FilterBox({ fields, error }: { fields: RunFields; error: string | null }) {
  const filter = useTable((state) => state.filter)
  const [text, setText] = useState(filter)
  const id = useId()
  // What is being typed stays as it is.
  useEffect(() => setText((now) => (now.trim() === filter ? now : filter)), [filter])
  useEffect(() => {
    const timer = setTimeout(() => setFilter(text.trim()), SETTLE)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className="runs-filter">
      <input
        type="search"
        value={text}
        placeholder="Filter"
        aria-label="Filter"
        aria-invalid={error !== null}
        aria-describedby={`${id}-help`}
        list={`${id}-names`}
        spellCheck={false}
        autoComplete="off"
        data-testid="filter"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && setFilter(text.trim())}
      />
      <datalist id={`${id}-names`}>
        {completions(text, fields).map((whole) => (
          <option key={whole} value={whole} />
        ))}
      </datalist>
      <p
        id={`${id}-help`}
        className={error ? 'bad' : 'muted'}
        role={error ? 'alert' : undefined}
        data-testid="filter-help"
      >
        {error ?? (
          <>
            Words, and <code>field:value</code>, <code>field&lt;number</code>, <code>-field:value</code>; for example{' '}
            <code>task:mlm,image lr&lt;1e-3 best:test/accuracy&gt;90% -tag:old status:done</code>
          </>
        )}
      </p>
    </div>
  )
}
