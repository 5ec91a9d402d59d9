import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { goOn, replaceAll, replaceOne, writeAtMatch } from './actions.ts'
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

/** What holds a line or a paragraph, in editors, in text without one, and in markdown. */
const BLOCKS = '.view-line, .static-line, .prose :is(p, li, h1, h2, h3, h4, td, th, pre)'

/** Marks what the bar looks for wherever it is drawn, as long as the bar is open. */
function useMarks(): void {
  const { query, matchCase } = useFind()
  useEffect(() => {
    const page = document.querySelector('.page')
    if (!page || !('highlights' in CSS)) return
    let planned = 0
    const draw = () => CSS.highlights.set('find', new Highlight(...rangesIn(page, query, matchCase)))
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(planned)
      planned = requestAnimationFrame(draw)
    })
    observer.observe(page, { childList: true, characterData: true, subtree: true })
    draw()
    return () => {
      cancelAnimationFrame(planned)
      observer.disconnect()
      CSS.highlights.delete('find')
    }
  }, [query, matchCase])
}

function rangesIn(page: Element, query: string, matchCase: boolean): Range[] {
  if (!query) return []
  return [...page.querySelectorAll(BLOCKS)].flatMap((block) => {
    const text = block.textContent.replaceAll('\u00a0', ' ') // editors draw spaces as these
    return findMatches([{ key: '', source: text }], query, matchCase).map(({ start, end }) => {
      const range = new Range()
      range.setStart(...placeOf(block, start))
      range.setEnd(...placeOf(block, end))
      return range
    })
  })
}

/** The text node at an offset of the text of a block, and the offset in it. */
function placeOf(block: Element, offset: number): [Node, number] {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  let before = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0
    if (offset <= before + length) return [node, offset - before]
    before += length
  }
  return [block, 0]
}
