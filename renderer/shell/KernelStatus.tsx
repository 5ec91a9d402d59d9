import { useEffect, useState } from 'react'
import { duration } from '../../engine/study/duration.ts'
import { goToCell } from '../run/showCell.ts'
import { useKernel } from '../session/kernel/state.ts'
import { restart } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'
import { bytes } from '../ui/bytes.ts'

const PHASES = {
  off: 'kernel off',
  starting: 'kernel starting',
  ready: 'kernel ready',
  busy: 'kernel busy',
  interrupting: 'interrupting at the next step',
  failed: 'kernel failed',
}

/** What the kernel does and holds, and a way out where it does not answer. */
export function KernelStatus() {
  const { phase, report, memory, running, silent, error } = useKernel()
  const stuck = silent > 0
  return (
    <>
      <span role="status" data-testid="kernel" data-phase={phase} data-silent={stuck}>
        <span className="dot" data-phase={stuck ? 'failed' : phase} />
        {stuck ? 'kernel does not answer' : PHASES[phase]}
      </span>
      {running && <Running {...running} />}
      {(stuck || phase === 'interrupting') && (
        <Button look="small" testId="kill" onClick={restart}>
          Kill and restart
        </Button>
      )}
      {error && (
        <span className="bad" title={error}>
          {error}
        </span>
      )}
      {report && !error && (
        <span className="yields" data-testid="device" title={report.chosen.device}>
          {report.chosen.name}, {report.chosen.device}
        </span>
      )}
      {report && !error && (
        <span className="yields" data-testid="memory">
          {memory.tensors.toLocaleString('en')} tensors, {bytes(memory.bytes)}
        </span>
      )}
    </>
  )
}

/** The cell in progress and the time it has taken so far. */
function Running({ id, since }: { id: string; since: number }) {
  const show = () => {
    const { name } = useNotebook.getState()
    if (name !== null) goToCell(name, id)
  }
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <button type="button" className="running" data-testid="running" title="Show this cell" onClick={show}>
      {id} {duration(Math.max(0, Math.floor((now - since) / 1000)))}
    </button>
  )
}
