import { lazy, Suspense, useState } from 'react'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import { lineNamed } from '../../engine/records/diverged.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { blockCode } from '../compare/blockCode.ts'
import { CurvePanels } from '../compare/CurvePanels.tsx'
import { DiffTable } from '../compare/DiffTable.tsx'
import { environmentOf } from '../compare/differences.ts'
import { configurationOf, groupsOf, metricsOf } from '../compare/groups.ts'
import { MetricChoice } from '../compare/MetricChoice.tsx'
import { useMetrics } from '../compare/useMetrics.ts'
import { WeightsSection } from '../compare/WeightsSection.tsx'
import type { ClassPair } from '../examples/RunExamples.tsx'
import { openExport } from '../export/state.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { RunModels } from '../model/RunModels.tsx'
import { StaticCode } from '../notebook/StaticCode.tsx'
import { useConfusions } from '../study/useConfusions.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { dataHash, notebookHash } from '../ui/route.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import { MetricTable } from './MetricTable.tsx'
import { Related } from './Related.tsx'
import { RunFacts } from './RunFacts.tsx'
import { RunMarks } from './RunMarks.tsx'
import { recreateRun } from './recreateRun.ts'
import { showCell } from './showCell.ts'
import { TryIt } from './try/TryIt.tsx'

const RunExamples = lazy(() => import('../examples/RunExamples.tsx'))

/** Everything that is known of one run: `#/run/12`. */
export function RunPage({ reference }: { reference: string }) {
  const { value: run, error } = useAnswer(
    reference,
    () => host().showRun(reference),
    ({ status }) => status === 'running',
  )
  const known = metricsOf(run ? [run] : [])
  const [metrics, choose] = useMetrics(known)
  if (error) {
    return (
      <main className="page">
        <p className="bad">{error}</p>
      </main>
    )
  }
  if (!run) return <main className="page" aria-busy="true" />
  const groups = groupsOf([run])
  return (
    <main className="page wide run-page" data-run={run.id}>
      <RunHead run={run} />
      <RunFacts run={run} />
      <RunMarks id={run.id} />
      <Related run={run} />
      <section aria-labelledby="run-metrics">
        <h2 id="run-metrics">Metrics</h2>
        <MetricChoice known={known} runs={[run]} chosen={metrics} onChange={choose} />
        <CurvePanels groups={groups} metrics={metrics} />
        <MetricTable metrics={run.metrics} names={known} />
      </section>
      <Tested key={run.status} run={run} />
      <TryIt run={run} />
      <RunModels runs={[{ id: run.id, label: run.variant }]} />
      <WeightsSection groups={groups} />
      <SourceCells run={run} />
      <DiffTable title="Configuration" groups={groups} factsOf={() => configurationOf(run.spec)} />
      <DiffTable title="Environment" groups={groups} factsOf={environmentOf} />
    </main>
  )
}

/** The test of a run: the report, by class, and its examples, of which a click in the matrix shows those of two classes. */
function Tested({ run }: { run: StoredRunDetails }) {
  const [pair, setPair] = useState<ClassPair | null>(null)
  return (
    <>
      <RunReports id={run.id} onPair={setPair} />
      <Suspense fallback={null}>
        <RunExamples run={run} pair={pair} onPair={setPair} />
      </Suspense>
    </>
  )
}

/** The report of the last evaluation, by class. */
function RunReports({ id, onPair }: { id: number; onPair(pair: ClassPair): void }) {
  const { value, error } = useConfusions(id)
  if (!error && !value?.length) return null
  return (
    <section aria-labelledby="run-classes">
      <h2 id="run-classes">Classes</h2>
      {error && <p className="bad">{error}</p>}
      {value?.map(({ split, chart }) => (
        <ChartView
          key={split}
          chart={chart}
          onPoint={(predicted, label) => onPair({ test: split, label, predicted })}
        />
      ))}
    </section>
  )
}

/** The cells that a run was made of, the cell of the study last; without them, the code of its block. */
function SourceCells({ run: { origin, code } }: { run: StoredRunDetails }) {
  const cells = origin ? parseNotebook(origin.source) : [{ id: 'block', source: blockCode(code) }]
  return (
    <section aria-labelledby="run-source" data-testid="run-source">
      <h2 id="run-source">{origin ? 'Cells' : 'Block'}</h2>
      {cells.map(({ id, source }) => (
        <details key={id} className="source-cell" data-source-cell={id} open={cells.length < 4 || id === origin?.cell}>
          <summary>
            {id}
            {id === origin?.cell && <span className="muted"> defines the study</span>}
          </summary>
          <ScrollBox label={`code of ${id}`}>
            <StaticCode value={source} language="typescript" />
          </ScrollBox>
        </details>
      ))}
    </section>
  )
}

/** The way to the line that an error names, where its notebook is known. */
function ErrorLine({ error, origin }: { error: string } & Pick<StoredRunDetails, 'origin'>) {
  const line = lineNamed(error)
  const notebook = origin?.notebook
  if (line === null || !notebook) return null
  return (
    <a href={notebookHash(notebook)} onClick={() => showCell(notebook, line)} data-testid="go-to-line">
      Go to {line} of {notebook}
    </a>
  )
}

/** Which run it is, how it stands, and what can be done with it. */
function RunHead({ run }: { run: StoredRunDetails }) {
  const { id, study, variant, seed, status, error, hasWeights } = run
  return (
    <header className="run-head">
      <h1 className="page-title">
        {study} / {variant}, seed {seed}
      </h1>
      <span className="run-status" data-status={status}>
        {status}
      </span>
      <span className="spacer" />
      <a className="button" href={dataHash(`run ${id}`)} data-testid="data">
        <Icon name="data" /> Data
      </a>
      <Button testId="recreate" onClick={() => void recreateRun(run)}>
        <Icon name="notebook" /> Recreate as a notebook
      </Button>
      {hasWeights && (
        <Button testId="export" onClick={() => openExport([id])}>
          <Icon name="export" /> Export
        </Button>
      )}
      {error && (
        <p className="bad">
          {error} <ErrorLine error={error} origin={run.origin} />
        </p>
      )}
    </header>
  )
}
