import { Suspense } from 'react'
import { DiffView } from '../editor/load.ts'
import type { PageCell } from '../session/edit.ts'
import { useNotebook } from '../session/state.ts'
import { Dialog, DialogHead } from '../ui/Dialog.tsx'
import { openDialog } from '../ui/dialog.ts'
import { notify } from '../ui/notices.ts'

/** Shows a cell beside the text that made its output. */
export function compareMade({ id }: PageCell): void {
  if (madeBy(id) !== null) openDialog('made')
  else notify({ text: `'${id}' has no output of code.` })
}

/** The selected cell beside the text that made its output. */
export function MadeView() {
  const cell = useNotebook(({ cells, selected }) => cells.find(({ key }) => key === selected))
  const source = cell ? madeBy(cell.id) : null
  return (
    <Dialog label="The code that made the output" className="fork">
      <DialogHead title={cell?.id} about="left the code that made the output, right the code now" />
      {cell && source !== null && (
        <Suspense>
          <DiffView before={source} after={cell.source} />
        </Suspense>
      )}
    </Dialog>
  )
}

function madeBy(id: string): string | null {
  return useNotebook.getState().states[id]?.output?.source ?? null
}
