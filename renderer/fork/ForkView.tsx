import { Suspense } from 'react'
import { forkedFrom } from '../editor/builtins.ts'
import { DiffView } from '../editor/load.ts'
import { useNotebook } from '../session/state.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { closeDialog } from '../ui/dialog.ts'
import { IconButton } from '../ui/IconButton.tsx'

/** The selected cell beside the built-in block that it was forked from. */
export function ForkView() {
  const cell = useNotebook(({ cells, selected }) => cells.find(({ key }) => key === selected))
  const original = cell && forkedFrom(cell.source)
  return (
    <Dialog label="Fork" className="fork">
      <header>
        <h2>{cell?.id}</h2>
        <span className="muted">left the built-in {original?.name}, right this cell</span>
        <span className="spacer" />
        <IconButton icon="close" label="Close" onClick={closeDialog} />
      </header>
      {cell && original && (
        <Suspense>
          <DiffView before={original.source} after={cell.source} />
        </Suspense>
      )}
    </Dialog>
  )
}
