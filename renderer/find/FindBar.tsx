import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { goOn, replaceAll, replaceOne, writeAtMatch } from './actions.ts'
import { useMarks } from './marks.ts'
import { findMatches } from './matches.ts'
import { closeFind, useFind } from './state.ts'

/** Finds and replaces in all cells. */
export function FindBar() {
  const open = useFind((state) => state.open)
  return open && <OpenFindBar />
}

function OpenFindBar() {
  const { query, replacement, matchCase, at } = useFind()
  const cells = useNotebook((state) => state.cells)
  const count = useMemo(() => findMatches(cells, query, matchCase).length, [cells, query, matchCase])
  const field = useRef<HTMLInputElement>(null)
  useMarks()
  useEffect(() => field.current?.select(), [])

  // a button that is disabled by what it did would leave the focus nowhere
  const then = (act: () => void) => {
    act()
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      writeAtMatch()
      closeFind()
    } else if (event.key === 'Enter' && event.target === field.current) goOn(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }
  return (
    <search className="find-bar" aria-label="find in notebook" data-testid="find" onKeyDown={onKeyDown}>
      <input
        ref={field}
        aria-label="Find"
        placeholder="Find"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          useFind.setState({ query: event.target.value, at: -1 })
          goOn(0)
        }}
      />
      <span className="muted" role="status" data-testid="find-count">
        {query ? `${at + 1} of ${count}` : ''}
      </span>
      <Button
        look="small"
        aria-pressed={matchCase}
        aria-label="Match case"
        onClick={() => useFind.setState({ matchCase: !matchCase, at: -1 })}
      >
        Aa
      </Button>
      <IconButton icon="up" label="Previous" keys="Shift+Enter" disabled={count === 0} onClick={() => goOn(-1)} />
      <IconButton icon="down" label="Next" keys="Enter" disabled={count === 0} onClick={() => goOn(1)} />
      <input
        aria-label="Replace by"
        placeholder="Replace by"
        spellCheck={false}
        value={replacement}
        onChange={(event) => useFind.setState({ replacement: event.target.value })}
      />
      <Button look="small" disabled={count === 0} onClick={() => then(replaceOne)}>
        Replace
      </Button>
      <Button look="small" disabled={count === 0} onClick={() => then(replaceAll)}>
        All
      </Button>
      <IconButton icon="close" label="Close" keys="Escape" onClick={closeFind} />
    </search>
  )
}
