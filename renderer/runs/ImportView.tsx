import { useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { ImportedRuns } from '../../engine/records/workspace.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { host } from '../host/state.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogHead } from '../ui/Dialog.tsx'
import { documentHash } from '../ui/route.ts'

/** Takes runs out of the journals in a folder, as `mixlab import`. */
export function ImportView() {
  const [folder, setFolder] = useState('.mixlab/journals')
  const [busy, setBusy] = useState(false)
  const [imported, setImported] = useState<ImportedRuns | string | null>(null)
  const take = async () => {
    setBusy(true)
    setImported(await host().importJournals(folder.trim()).catch(messageOf))
    setBusy(false)
  }
  return (
    <Dialog label="import journals" className="import">
      <DialogHead title="Import journals" />
      <form
        className="import-form"
        onSubmit={(event) => {
          event.preventDefault()
          void take()
        }}
      >
        <p>
          Takes what is new of the runs that another machine, a cluster, or a worker without its queue has trained into
          journals. <a href={documentHash('machines', 'journals-without-a-network')}>What journals are</a>
        </p>
        <label>
          <span className="muted">folder, from that of the workspace</span>
          <input
            value={folder}
            spellCheck={false}
            autoComplete="off"
            data-testid="journals"
            onChange={(event) => setFolder(event.target.value)}
          />
        </label>
        <Button
          look="primary"
          busy={busy}
          disabled={folder.trim() === ''}
          onClick={() => void take()}
          testId="import-runs"
        >
          Import
        </Button>
        <div role="status" data-testid="imported">
          {typeof imported === 'string' && <p className="bad">{imported}</p>}
          {imported !== null && typeof imported !== 'string' && <Outcome {...imported} />}
        </div>
      </form>
    </Dialog>
  )
}

function Outcome({ journals, taken, done, known, left, refused }: ImportedRuns) {
  return (
    <>
      <p>{`${plural(journals, 'journal')}: ${plural(taken, 'run')} taken, ${done} of them done; ${known} known already.`}</p>
      {left.map(({ key, study, variant, seed, why }) => (
        <p key={key} className="muted">{`${study}: ${variant}, seed ${seed} is left for another time: ${why}`}</p>
      ))}
      {refused.map((why) => (
        <p key={why} className="bad">
          {why}
        </p>
      ))}
    </>
  )
}
