import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { handleCellKey } from '../commands/keys.ts'
import { renameCell, select } from '../session/actions.ts'
import type { PageCell } from '../session/edit.ts'
import { interrupt, runCells } from '../session/run.ts'
import { stopQuery } from '../session/runQuery.ts'
import { useNotebook } from '../session/state.ts'
import type { Status } from '../session/status.ts'
import { useCellStatus } from '../session/useCellStatus.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Icon } from '../ui/Icon.tsx'
import { notify } from '../ui/notices.ts'
import { CellEditor } from './CellEditor.tsx'
import { CellStatus } from './CellStatus.tsx'
import { CellToolbar } from './CellToolbar.tsx'
import { CodeCell } from './CodeCell.tsx'
import type { CellBodyProps } from './cellBody.ts'
import { useDropSide } from './drag.ts'
import { MarkdownCell } from './MarkdownCell.tsx'
import { SqlCell } from './SqlCell.tsx'

const BODIES = { code: CodeCell, markdown: MarkdownCell, sql: SqlCell, raw: RawCell }

interface CellViewProps {
  cell: PageCell
  index: number
  last: boolean
}

/** A cell with its frame: name, status, tools; text and output are in its body. */
export const CellView = memo(function CellView({ cell, index, last }: CellViewProps) {
  const selected = useNotebook((state) => state.selected === cell.key)
  const editing = useNotebook((state) => state.selected === cell.key && state.editing)
  const status = useCellStatus(cell.id)
  const drop = useDropSide(cell.key)
  const frame = useRef<HTMLElement>(null)
  const Body = BODIES[cell.kind]

  // The keys of the notebook work on the selected cell, so it has the focus unless something within it has.
  useEffect(() => {
    const element = frame.current
    if (!element || !selected || editing || element === document.activeElement) return
    const { activeElement } = document
    const typing = activeElement?.matches('.monaco-editor *')
    if (activeElement === document.body || typing || activeElement?.matches('[data-cell]'))
      element.focus({ preventScroll: true })
  }) // after every change, for a cell that is moved loses the focus

  const onKeys = (event: KeyboardEvent) => {
    if (!handleCellKey(event.nativeEvent, event.target !== event.currentTarget)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section
      ref={frame}
      className="cell"
      data-cell={cell.id}
      data-key={cell.key}
      data-drop={drop}
      data-kind={cell.kind}
      data-status={status}
      data-selected={selected}
      aria-label={`${cell.kind} cell ${cell.id}${status === 'idle' ? '' : `, ${status}`}`}
      tabIndex={selected ? 0 : -1}
      onKeyDownCapture={onKeys}
      onFocus={(event) => event.target === event.currentTarget && !selected && select(cell.key)}
      onMouseDown={() => !selected && select(cell.key)}
      onDoubleClick={() => cell.kind === 'markdown' && select(cell.key, true)}
    >
      <div className="cell-rail">
        {cell.kind === 'code' && <RunButton id={cell.id} status={status} stop={() => interrupt(cell.id)} />}
        {cell.kind === 'sql' && <RunButton id={cell.id} status={status} stop={() => stopQuery(cell.id)} />}
      </div>
      <div className="cell-body">
        <header className="cell-head">
          <CellName cellKey={cell.key} id={cell.id} />
          {cell.kind !== 'code' && <span className="cell-kind">{cell.kind}</span>}
          <CellStatus id={cell.id} status={status} />
          <CellToolbar cell={cell} index={index} last={last} />
        </header>
        <ErrorBoundary what={`The cell '${cell.id}'`} again={cell.source}>
          <Body cell={cell} editing={editing} />
        </ErrorBoundary>
      </div>
    </section>
  )
})

/** Text of a kind that only another editor knows; it stays in the file. */
function RawCell({ cell, editing }: CellBodyProps) {
  return <CellEditor cell={cell} language="plaintext" label={`text of ${cell.id}`} focused={editing} problem={null} />
}

/** Runs a cell, or stops it while it runs. */
function RunButton({ id, status, stop }: { id: string; status: Status; stop(): void }) {
  const running = status === 'running'
  return (
    <button
      type="button"
      className="run-button"
      data-testid={running ? 'interrupt' : 'run'}
      aria-label={running ? `interrupt ${id}` : `run ${id}`}
      title={running ? 'Interrupt' : 'Run (Shift+Enter)'}
      disabled={status === 'queued'}
      onClick={() => (running ? stop() : runCells([id]))}
    >
      <Icon name={running ? 'stop' : 'run'} />
    </button>
  )
}

/** The name of a cell, written in place. */
function CellName({ cellKey, id }: { cellKey: string; id: string }) {
  const [text, setText] = useState(id)
  useEffect(() => setText(id), [id])

  const apply = () => {
    const problem = renameCell(cellKey, text.trim())
    if (!problem) return
    notify({ tone: 'bad', text: `Not renamed: ${problem}.` })
    setText(id)
  }
  return (
    <input
      className="cell-name"
      aria-label="cell name"
      spellCheck={false}
      size={Math.max(4, text.length)}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setText(id)
      }}
    />
  )
}
