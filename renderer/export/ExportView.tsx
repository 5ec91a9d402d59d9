import { Dialog } from '../ui/Dialog.tsx'
import { closeDialog } from '../ui/dialog.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { ExportForm } from './ExportForm.tsx'
import { Exports } from './Exports.tsx'
import { useExports } from './state.ts'
import { useCandidates } from './useCandidates.ts'

/** The panel in which trained models leave; what is asked for goes on when it is closed. */
export function ExportView() {
  const asked = useExports((state) => state.asked)
  const { value, error } = useCandidates(asked)
  return (
    <Dialog label="Export models" className="export">
      <header>
        <h2>{asked.length === 1 ? 'Export a model' : `Export ${asked.length} models`}</h2>
        <span className="muted">{value?.length === 1 && value[0] && nameOf(value[0].run)}</span>
        <span className="spacer" />
        <IconButton icon="close" label="Close" onClick={closeDialog} />
      </header>
      <div className="export-body">
        {error && <p className="bad">{error}</p>}
        {value && <ExportForm key={asked.join()} candidates={value} />}
        <Exports asked={asked} />
      </div>
    </Dialog>
  )
}

function nameOf({ study, variant, seed }: { study: string; variant: string; seed: number }): string {
  return `${study} / ${variant}, seed ${seed}`
}
