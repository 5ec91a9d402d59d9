import { useShallow } from 'zustand/react/shallow'
import type { Cell } from '../../engine/notebook/types.ts'
import { FindBar } from '../find/FindBar.tsx'
import { addCell } from '../session/actions.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'
import { openDialog } from '../ui/dialog.ts'
import { Icon } from '../ui/Icon.tsx'
import { CellView } from './CellView.tsx'
import { ConflictBanner } from './ConflictBanner.tsx'
import { DeletedFileBanner } from './DeletedFileBanner.tsx'
import { dropped, overCells, stopDragging } from './drag.ts'
import { NotebookHead } from './NotebookHead.tsx'
import { StartedBanner } from './StartedBanner.tsx'
import { useReadyCharts } from './useReadyCharts.ts'
import { useShown } from './useShown.ts'

/** The open notebook. */
export function NotebookView() {
  const { name, cells, error, revision } = useNotebook(
    useShallow(({ name, cells, error, revision }) => ({ name, cells, error, revision })),
  )
  const { from, to, start, end } = useShown()
  useReadyCharts(revision === null ? null : name)
  if (error !== null) return <Message title={`${name} cannot be opened`} text={error} />
  if (name === null || revision === null) return <main className="page" aria-busy="true" />
  return (
    <main className="page" onDragOver={overCells} onDrop={dropped} onDragEnd={stopDragging}>
      <FindBar />
      <NotebookHead name={name} />
      <DeletedFileBanner />
      <ConflictBanner />
      <StartedBanner />
      {from > 0 && <p className="empty-state above" ref={start}>{`${from} cells above ...`}</p>}
      {cells.slice(from, to).map((cell, index) => (
        <CellView key={cell.key} cell={cell} index={from + index} last={from + index === cells.length - 1} />
      ))}
      {to < cells.length && <p className="empty-state" ref={end}>{`${cells.length - to} more cells ...`}</p>}
      {cells.length === 0 && <p className="empty-state">This notebook has no cells yet.</p>}
      <div className="add-row">
        {ADD.map(({ id, label, add }) => (
          <Button key={id} look="quiet" onClick={add} testId={id}>
            <Icon name="add" /> {label}
          </Button>
        ))}
      </div>
    </main>
  )
}

const addLast = (kind?: Cell['kind']) => addCell(useNotebook.getState().cells.length, kind)

/** The buttons below the last cell. */
const ADD = [
  { id: 'add-code', label: 'Code', add: () => addLast() },
  { id: 'add-markdown', label: 'Text', add: () => addLast('markdown') },
  { id: 'add-sql', label: 'SQL', add: () => addLast('sql') },
  { id: 'fork', label: 'Fork of a built-in block', add: () => openDialog('palette', 'Fork the built-in block ') },
]

function Message({ title, text }: { title: string; text: string }) {
  return (
    <main className="page">
      <div className="empty-state" role="alert">
        <p>{title}</p>
        <p className="muted">{text}</p>
      </div>
    </main>
  )
}
