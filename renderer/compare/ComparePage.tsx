import { lazy, Suspense, useMemo } from 'react'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { RunModels } from '../model/RunModels.tsx'
import { CodeDiff } from './CodeDiff.tsx'
import { CurvePanels } from './CurvePanels.tsx'
import { DiffTable } from './DiffTable.tsx'
import { environmentOf, groupOrigin } from './differences.ts'
import { FactorSection } from './FactorSection.tsx'
import { FinalTable } from './FinalTable.tsx'
import { type Family, familyOf } from './family.ts'
import { type ComparedGroup, configurationOf, groupsOf, metricsOf } from './groups.ts'
import { ItemList } from './ItemList.tsx'
import { itemRuns, MAX_RUNS, readItems } from './items.ts'
import { MetricChoice } from './MetricChoice.tsx'
import { useMetrics } from './useMetrics.ts'
import { WeightsSection } from './WeightsSection.tsx'

/** Runs and studies side by side: `#/compare/12,15,study:gating`. */
export function ComparePage({ items }: { items: string[] }) {
  const { value, error } = useAnswer(
    items.join('\n'),
    () => readItems(host(), items),
    (found) => itemRuns(found).some(({ status }) => status === 'running'),
  )
  const runs = useMemo(() => itemRuns(value ?? []), [value])
  const groups = useMemo(() => groupsOf(runs), [runs])
  const family = useFamily(groups)
  const known = metricsOf(runs)
  const [metrics, choose] = useMetrics(known)
  return (
    <main className="page wide compare" aria-busy={value === null && error === null}>
      <h1 className="page-title">Compare</h1>
      <ItemList items={items} found={value ?? []} />
      {error && <p className="bad">{error}</p>}
      {value && runs.length === 0 && (
        <p className="muted">{items.length === 0 ? 'Add runs or studies to compare.' : 'There are no such runs.'}</p>
      )}
      {runs.length >= MAX_RUNS && <p className="muted">{`These are the first ${MAX_RUNS} runs.`}</p>}
      {groups.length > 0 && (
        <>
          <section aria-labelledby="compare-metrics">
            <h2 id="compare-metrics">Metrics</h2>
            <MetricChoice known={known} runs={runs} chosen={metrics} onChange={choose} />
            <CurvePanels groups={groups} metrics={metrics} />
            <FinalTable groups={groups} metrics={metrics} family={family} />
            <FactorSection groups={groups} metrics={metrics} family={family} />
          </section>
          <DiffTable title="Configuration" groups={groups} factsOf={({ runs: [run] }) => configurationOf(run.spec)} />
          <Examples groups={groups} />
          <CodeDiff groups={groups} />
          <RunModels runs={groups.map(({ name, runs: [run] }) => ({ id: run.id, label: name }))} />
          <WeightsSection groups={groups} />
          <DiffTable title="Environment" groups={groups} factsOf={environmentOf} />
          <DiffTable title="Notebook" groups={groups} factsOf={groupOrigin} />
        </>
      )}
    </main>
  )
}

/** Where runs disagree on test examples, two at a time; nothing where fewer were tested. */
function Examples({ groups }: { groups: readonly ComparedGroup[] }) {
  const all = groups.flatMap(({ name, runs }) => runs.map((run) => ({ run, name: `${name} seed ${run.seed}` })))
  const tested = all.filter(({ run }) => run.status === 'done')
  if (tested.length < 2) return null
  return (
    <Suspense fallback={null}>
      <Disagreements runs={tested} />
    </Suspense>
  )
}

const Disagreements = lazy(() => import('../examples/Disagreements.tsx'))

/** The study in which groups were planned together, null where there is none; undefined until that is known. */
function useFamily(groups: readonly ComparedGroup[]): Family | null | undefined {
  const ids = groups.flatMap(({ runs }) => runs.map(({ id }) => id)).join()
  const { value } = useAnswer(ids, async () => ({ ids, family: ids ? await familyOf(groups) : null }))
  return value?.ids === ids ? value.family : undefined
}
