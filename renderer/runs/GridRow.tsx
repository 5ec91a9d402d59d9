import { type MouseEvent, memo, useCallback, useEffect, useRef, useState } from 'react'
import type { RunGroup, RunLine } from '../../engine/runs/types.ts'
import { openExport } from '../export/state.ts'
import { host } from '../host/state.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { act } from './act.ts'
import { cellPlace } from './cellPlace.ts'
import { GridCell } from './GridCell.tsx'
import { openRow } from './open.ts'
import { type RunsRow, rowName, rowRuns } from './rows.ts'
import { chooseRuns, isChosen, useTable } from './state.ts'
import type { Shown } from './useListing.ts'

interface GridRowProps {
  index: number
  /** Undefined while it is fetched. */
  row: RunsRow | undefined
  shown: Shown
  /** Where the first cells stay in view. */
  left: number[]
}

export function rowId(index: number): string {
  return `run-row-${index}`
}

/** A row of the table. */
export const GridRow = memo(function GridRow({ index, row, shown, left }: GridRowProps) {
  const active = useTable((state) => state.active === index)
  const chosen = useTable((state) => row !== undefined && isChosen(state.chosen, rowRuns(row)))
  if (!row) {
    return (
      <tr id={rowId(index)} aria-rowindex={index + 2} aria-busy="true">
        <td colSpan={shown.columns.length + 2} />
      </tr>
    )
  }
  return (
    <tr
      id={rowId(index)}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-active={active}
      data-run={row.kind === 'run' ? row.id : undefined}
      data-baseline={row.kind === 'group' && row.baseline}
      onClick={() => useTable.setState({ active: index })}
      onDoubleClick={({ target }) => {
        if (target instanceof Element && !target.closest('a, button, input')) openRow(row)
      }}
    >
      <td className="stays" style={{ left: left[0] }}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={chosen}
          aria-label={`Choose ${rowName(row)}`}
          onChange={() => {}} // the click says more
          onClick={(event) => clickedBox(event, index, row, shown)}
        />
      </td>
      {shown.columns.map(({ name, column }, i) =>
        column.kind === 'fact' && column.name === 'note' && row.kind === 'run' ? (
          <NoteCell key={name} run={row} refresh={shown.refresh} />
        ) : (
          <GridCell
            key={name}
            row={row}
            name={name}
            column={column}
            place={cellPlace(column, left[i + 1])}
            first={!i}
          />
        ),
      )}
      <td>
        {row.kind === 'group' && <PinButton group={row} refresh={shown.refresh} />}
        {row.kind === 'run' && row.hasWeights && (
          <IconButton
            icon="export"
            testId="export"
            label={`Export ${rowName(row)}`}
            onClick={() => openExport([row.id])}
          />
        )}
      </td>
    </tr>
  )
})

/** With Shift, all rows from the active one on. */
function clickedBox(event: MouseEvent, index: number, row: RunsRow, shown: Shown): void {
  const { active, chosen } = useTable.getState()
  const wanted = !isChosen(chosen, rowRuns(row))
  const [from, to] = event.shiftKey ? [Math.min(active, index), Math.max(active, index)] : [index, index]
  for (let at = from; at <= to; at++) {
    const passed = shown.row(at)
    if (passed) chooseRuns(rowRuns(passed), wanted)
  }
}

/** Makes a variant the one that the others of its study are compared with, or no longer. */
function PinButton({ group, refresh }: { group: RunGroup; refresh(): void }) {
  const { study, variant, baseline } = group
  const label = `${baseline ? 'Unpin' : 'Pin'} ${variant} as baseline of ${study}`
  return (
    <button
      type="button"
      className="icon-button pin"
      aria-pressed={baseline}
      aria-label={label}
      title={label}
      data-testid="pin"
      onClick={() => void act(() => host().pinBaseline(study, baseline ? null : variant), refresh)}
    >
      <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M6 2.5h4l-.6 4.2 2.1 2.1v1h-7v-1l2.1-2.1zM8 9.8v4" />
      </svg>
    </button>
  )
}

/** The note of a run; a click, or F2, begins to write it, Enter keeps it. */
function NoteCell({ run, refresh }: { run: RunLine; refresh(): void }) {
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
