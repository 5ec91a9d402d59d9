import { Suspense } from 'react'
import { forkedFrom } from '../editor/builtins.ts'
import { DiffView } from '../editor/load.ts'
import { useNotebook } from '../session/state.ts'
import { Dialog, DialogHead } from '../ui/Dialog.tsx'

/** The selected cell beside the built-in block that it was forked from. */
export function ForkView() {
  const cell = useNotebook(({ cells, selected }) => cells.find(({ key }) => key === selected))
  const original = cell && forkedFrom(cell.source)
  return (
    <Dialog label="Fork" className="fork">
      <DialogHead title={cell?.id} about={original && `left the built-in ${original.name}, right this cell`} />
      {cell && original && (
        <Suspense>
          <DiffView before={original.source} after={cell.source} />
        </Suspense>
      )}
    </Dialog>
  )
}
