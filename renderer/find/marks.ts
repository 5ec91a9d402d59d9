import { useEffect } from 'react'
import { findMatches } from './matches.ts'
import { useFind } from './state.ts'

/** What holds a line or a paragraph, in editors, in text without one, and in markdown. */
const BLOCKS = '.view-line, .static-line, .prose :is(p, li, h1, h2, h3, h4, td, th, pre)'

/** Marks what the bar looks for wherever it is drawn, as long as the bar is open. */
export function useMarks(): void {
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
