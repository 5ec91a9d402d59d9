import { Dialog, DialogHead } from '../ui/Dialog.tsx'
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
      <DialogHead
        title={asked.length === 1 ? 'Export a model' : `Export ${asked.length} models`}
        about={value?.length === 1 && value[0] && nameOf(value[0].run)}
      />
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
