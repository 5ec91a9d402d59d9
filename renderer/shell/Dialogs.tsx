import { lazy, type ReactNode, Suspense } from 'react'
import { CommandPalette } from '../commands/CommandPalette.tsx'
import { KeysHelp } from '../commands/KeysHelp.tsx'
import { ConformanceView } from '../conformance/ConformanceView.tsx'
import { DeclarationView } from '../editor/load.ts'
import { ExportView } from '../export/ExportView.tsx'
import { ForkView } from '../fork/ForkView.tsx'
import { HistoryView } from '../history/HistoryView.tsx'
import { MadeView } from '../history/MadeView.tsx'
import { ImportView } from '../runs/ImportView.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { closeDialog, useDialog } from '../ui/dialog.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { leave, placeOf, useLeaving } from './leaving.ts'

const DIALOGS = {
  palette: CommandPalette,
  keys: KeysHelp,
  history: HistoryView,
  fork: ForkView,
  made: MadeView,
  declaration: DeclarationView,
  conformance: ConformanceView,
  export: ExportView,
  import: ImportView,
  figure: lazy(() => import('../charts/save/SaveView.tsx')),
  leaving: LeavingView,
}

/** The open dialog. */
export function Dialogs() {
  const open = useDialog((state) => state.open)
  const Open = open && DIALOGS[open]
  return (
    Open && (
      <ErrorBoundary what="This window" again={open} frame={framed}>
        <Suspense>
          <Open />
        </Suspense>
      </ErrorBoundary>
    )
  )
}

function framed(message: ReactNode) {
  return (
    <Dialog label="error" className="failed">
      {message}
    </Dialog>
  )
}

/** Asks whether a link out of the page is to be opened. */
function LeavingView() {
  const address = useLeaving((state) => state.address)
  if (!address) return null
  return (
    <Dialog label="open a link" className="leaving">
      <h2>Open {placeOf(address)}?</h2>
      <p className="muted address">{address.href.slice(0, 500)}</p>
      <div className="buttons">
        <Button onClick={closeDialog}>Stay here</Button>
        <Button look="primary" onClick={() => leave()} testId="leave">
          Open
        </Button>
      </div>
    </Dialog>
  )
}
