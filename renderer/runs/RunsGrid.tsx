import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Column } from '../../engine/runs/column.ts'
import { columnTitle, isNumeric } from '../../engine/runs/format.ts'
import { GridHead } from './GridHead.tsx'
import { GridRow, rowId } from './GridRow.tsx'
import { openRow } from './open.ts'
import { rowRuns } from './rows.ts'
import { chooseNone, chooseRuns, isChosen, useTable } from './state.ts'
import type { Shown } from './useListing.ts'

const ROW = 30 // px, as in runs.css

/** The table; only rows near the view are in the page. One stop of the Tab key, in which arrows go from row to row. */
export function RunsGrid({ shown }: { shown: Shown }) {
  const scroll = useRef<HTMLDivElement>(null)
  const grouped = useTable((state) => state.grouped)
  const active = useTable((state) => state.active)
  const total = shown.total ?? 0
  const { getVirtualItems, getTotalSize, scrollToIndex } = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 10,
    scrollPaddingStart: ROW,
  })
  const items = getVirtualItems()
  const first = items[0]?.index ?? 0
  const end = (items.at(-1)?.index ?? 0) + 1
  const { see } = shown
  useEffect(() => see(first, end), [see, first, end])
  const filter = useTable((state) => state.filter)
  const order = useTable((state) => (grouped ? state.sort.groups : state.sort.runs))
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are read from their beginning
  useLayoutEffect(() => {
    scroll.current?.scrollTo({ top: 0 }) // gives a promise in newer browsers, which is no clean-up
  }, [filter, grouped, order])
  const before = useRef(active)
  useLayoutEffect(() => {
    if (before.current !== active) scrollToIndex(active)
    before.current = active
  }, [active, scrollToIndex])

  const { columns } = shown
  const widths = useMemo(() => [34, ...columns.map(({ column }) => widthOf(column, grouped)), 40], [columns, grouped])
  const left = useMemo(() => {
    const stay = staying(columns.map(({ column }) => column)) + 1
    return widths.slice(0, stay).map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0))
  }, [columns, widths])
  const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / ROW) - 2)
  return (
    <div className="runs-scroll" ref={scroll}>
      <table
        className="runs-grid"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen is a grid
        role="grid"
        aria-label="Runs"
        aria-multiselectable="true"
        aria-rowcount={total + 1}
        aria-activedescendant={items.some(({ index }) => index === active) ? rowId(active) : undefined}
        tabIndex={0}
        style={{ minWidth: widths.reduce((sum, width) => sum + width, 0) }}
        data-testid="runs"
        onKeyDown={(event) => {
          if (event.target === event.currentTarget && pressed(event, shown, page)) event.preventDefault()
        }}
      >
        <colgroup>
          {widths.map((width, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <col key={i} style={{ width }} />
          ))}
        </colgroup>
        <GridHead shown={shown} left={left} />
        <Gap height={items[0]?.start ?? 0} />
        <tbody>
          {items.map(({ index }) => (
            <GridRow key={index} index={index} row={shown.row(index)} shown={shown} left={left} />
          ))}
        </tbody>
        <Gap height={getTotalSize() - (items.at(-1)?.end ?? 0)} />
      </table>
    </div>
  )
}

/** Stands for the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  )
}

/** Does what a key says; false for a key that says nothing here. */
function pressed(event: KeyboardEvent, shown: Shown, page: number): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const { active, chosen } = useTable.getState()
  const last = (shown.total ?? 0) - 1
  const moves: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: last,
  }
  const target = moves[event.key]
  const row = shown.row(active)
  if (target !== undefined) {
    const next = Math.max(0, Math.min(last, target))
    if (event.shiftKey) {
      for (let index = Math.min(active, next); index <= Math.max(active, next); index++) {
        const passed = shown.row(index)
        if (passed) chooseRuns(rowRuns(passed), true)
      }
    }
    useTable.setState({ active: next })
  } else if (event.key === 'Escape') chooseNone()
  else if (!row) return false
  else if (event.key === ' ') chooseRuns(rowRuns(row), !isChosen(chosen, rowRuns(row)))
  else if (event.key === 'Enter') openRow(row)
  else if (event.key === 'F2' && row.kind === 'run') useTable.setState({ writing: row.id })
  else return false
  return true
}

const FACTS: Readonly<Partial<Record<string, number>>> = {
  id: 60,
  study: 130,
  variant: 150,
  seed: 60,
  status: 90,
  step: 70,
  started: 140,
  time: 100,
  tags: 130,
  note: 180,
  device: 200,
  error: 240,
  key: 150,
}

const LETTER = 6.5 // px of a title

/** Pixels that a column asks for; a wider table shares the rest among its columns. */
function widthOf(column: Column, grouped: boolean): number {
  const known = column.kind === 'fact' ? FACTS[column.name] : undefined
  const spread = grouped && (column.kind === 'metric' || column.kind === 'step' || column.name === 'time')
  const title = Math.min(180, 30 + LETTER * columnTitle(column).length)
  return Math.max(known ?? (isNumeric(column) ? 80 : 90), spread ? 160 : 0, known ? 0 : title)
}

/** The first columns stay in view, up to the name of the variant, where it is one of the first. */
function staying(columns: Column[]): number {
  return columns.slice(0, 4).findIndex(({ kind, name }) => kind === 'fact' && name === 'variant') + 1
}
