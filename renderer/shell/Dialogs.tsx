import { type ReactNode, Suspense } from 'react'
import { CommandPalette } from '../commands/CommandPalette.tsx'
import { KeysHelp } from '../commands/KeysHelp.tsx'
import { ConformanceView } from '../conformance/ConformanceView.tsx'
import { DeclarationView } from '../editor/load.ts'
import { ExportView } from '../export/ExportView.tsx'
import { ForkView } from '../fork/ForkView.tsx'
import { HistoryView } from '../history/HistoryView.tsx'
import { MadeView } from '../history/MadeView.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useDialog } from '../ui/dialog.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { LeavingView } from './LeavingView.tsx'

const DIALOGS = {
  palette: CommandPalette,
  keys: KeysHelp,
  history: HistoryView,
  fork: ForkView,
  made: MadeView,
  declaration: DeclarationView,
  conformance: ConformanceView,
  export: ExportView,
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
