import { CurvePanels } from '../compare/CurvePanels.tsx'
import { DiffTable } from '../compare/DiffTable.tsx'
import { environmentOf } from '../compare/differences.ts'
import { configurationOf, groupsOf, metricsOf } from '../compare/groups.ts'
import { MetricChoice } from '../compare/MetricChoice.tsx'
import { useMetrics } from '../compare/useMetrics.ts'
import { WeightsSection } from '../compare/WeightsSection.tsx'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { MetricTable } from './MetricTable.tsx'
import { Related } from './Related.tsx'
import { RunFacts } from './RunFacts.tsx'
import { RunHead } from './RunHead.tsx'
import { RunMarks } from './RunMarks.tsx'
import { RunReports } from './RunReports.tsx'
import { SourceCells } from './SourceCells.tsx'
import { TryIt } from './try/TryIt.tsx'

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
        <MetricChoice known={known} chosen={metrics} onChange={choose} />
        <CurvePanels groups={groups} metrics={metrics} />
        <MetricTable metrics={run.metrics} names={known} />
      </section>
      <RunReports key={run.status} id={run.id} />
      <TryIt run={run} />
      <WeightsSection groups={groups} />
      <SourceCells run={run} />
      <DiffTable title="Configuration" groups={groups} factsOf={() => configurationOf(run.spec)} />
      <DiffTable title="Environment" groups={groups} factsOf={environmentOf} />
    </main>
  )
}
