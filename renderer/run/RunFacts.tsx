import type { ReactNode } from 'react'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { duration } from '../../engine/study/duration.ts'
import { useConnection } from '../host/state.ts'
import { notebookHash } from '../ui/route.ts'
import { showCell } from './showCell.ts'

/** What the store knows of a run in a few lines. */
export function RunFacts({ run }: { run: StoredRunDetails }) {
  const { id, key, step, steps, parameters, macs, backend, device, startedAt, ms, spec } = run
  const { data } = spec as { data?: string }
  return (
    <dl className="run-facts" data-testid="run-facts">
      <Fact name="run">{id}</Fact>
      <Fact name="key">
        <code title={key}>{key.slice(0, 16)}</code>
      </Fact>
      {data && (
        <Fact name="data">
          <code title={data}>{data.slice(0, 16)}</code>
        </Fact>
      )}
      <Fact name="cell">
        <Origin origin={run.origin} />
      </Fact>
      <Fact name="steps">{step === steps ? steps : `${step} of ${steps}`}</Fact>
      <Fact name="parameters">{parameters.toLocaleString('en-US')}</Fact>
      {macs !== null && <Fact name="MACs per example">{macs.toLocaleString('en-US')}</Fact>}
      <Fact name="backend">{`${backend}, ${device}`}</Fact>
      <Fact name="started">{new Date(startedAt).toLocaleString()}</Fact>
      <Fact name="took">{duration(ms / 1000)}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The cell of a run, which is shown where its notebook is in the workspace. */
function Origin({ origin }: Pick<StoredRunDetails, 'origin'>) {
  const notebooks = useConnection((state) => state.notebooks)
  if (!origin) return 'not known'
  const { notebook, cell } = origin
  if (notebook === null) return cell
  if (!notebooks.includes(notebook)) return `${cell} of ${notebook}`
  return (
    <a href={notebookHash(notebook)} onClick={() => showCell(notebook, cell)} data-testid="run-cell">
      {cell} of {notebook}
    </a>
  )
}
