import type { StoredRun } from '../../engine/study/types.ts'
import { exportWeights } from '../host/exportWeights.ts'
import { IconButton } from '../shell/IconButton.tsx'
import { useRuns } from './useRuns.ts'
import { mainMetric, percentOrNumber, when } from './words.ts'

const COLUMNS = ['study', 'variant', 'seed', 'status', 'accuracy', 'steps', 'backend', 'when'] as const
const NUMBERS: readonly string[] = ['seed', 'accuracy', 'steps']

/** All runs of the workspace, the newest first. */
export function RunsView() {
  const runs = useRuns()
  if (runs === null) return <main className="page" aria-busy="true" />
  return (
    <main className="page">
      <h1 className="page-title">Runs</h1>
      {runs.length === 0 ? (
        <div className="empty-state">
          <p>No runs yet.</p>
          <p className="muted">Run a cell that defines a study, and every run it trains is kept here.</p>
        </div>
      ) : (
        <RunTable runs={runs} />
      )}
    </main>
  )
}

function RunTable({ runs }: { runs: StoredRun[] }) {
  return (
    <div className="table-scroll">
      <table className="runs" data-testid="runs">
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className={NUMBERS.includes(name) ? 'number' : undefined}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="hidden">weights</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RunRow({ run }: { run: StoredRun }) {
  const { id, study, variant, seed, status, step, steps, backend, device, error, startedAt, hasWeights } = run
  return (
    <tr data-run={id}>
      <td>{study}</td>
      <td>{variant}</td>
      <td className="number">{seed}</td>
      <td>
        <span className="run-status" data-status={status} title={error ?? undefined}>
          {status}
        </span>
      </td>
      <td className="number">{percentOrNumber(mainMetric(run))}</td>
      <td className="number">{step === steps ? steps : `${step} / ${steps}`}</td>
      <td title={device}>{backend}</td>
      <td title={new Date(startedAt).toLocaleString()}>{when(startedAt, Date.now())}</td>
      <td>
        {hasWeights && (
          <IconButton
            icon="export"
            testId="export"
            label={`Export weights of ${variant}, seed ${seed}`}
            onClick={() => void exportWeights({ id, study, variant, seed })}
          />
        )}
      </td>
    </tr>
  )
}
