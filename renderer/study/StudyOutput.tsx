import { useState } from 'react'
import { interrupt } from '../notebook/run.ts'
import { Icon } from '../shell/Icon.tsx'
import { Curves } from './Curves.tsx'
import { FailedRuns } from './FailedRuns.tsx'
import { progress } from './progress.ts'
import { RunReport } from './RunReport.tsx'
import { StudyProgress } from './StudyProgress.tsx'
import { VariantTable } from './VariantTable.tsx'
import { firstMetric, metricNames, type StudyView } from './view.ts'

/** A study as it trains and after: progress, curves, comparison, and the weights of its runs. */
export function StudyOutput({ study, running }: { study: StudyView; running: boolean }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const names = metricNames(study)
  const metric = chosen !== null && names.includes(chosen) ? chosen : firstMetric(study)
  const state = progress(study)
  const training = running && state.done < state.total
  return (
    <section className="study" data-testid="study" data-study={study.study} aria-label={`study ${study.study}`}>
      <header className="study-head">
        <h3>{study.study}</h3>
        <span className="muted">{summary(study)}</span>
        <label className="metric-select">
          <span className="muted">metric</span>
          <select value={metric} onChange={(event) => setChosen(event.target.value)} data-testid="metric">
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {training && (
          <button type="button" className="button" onClick={interrupt} data-testid="interrupt-study">
            <Icon name="stop" /> Interrupt
          </button>
        )}
      </header>
      <StudyProgress state={state} training={training} />
      <Curves study={study} metric={metric} />
      <VariantTable study={study} metric={chosen ?? study.metric} running={running} />
      <RunReport study={study} />
      <FailedRuns study={study} />
    </section>
  )
}

function summary({ variants, runs }: StudyView): string {
  const cached = runs.filter((run) => run.cached && run.status === 'done').length
  const size = `${plural(variants.length, 'variant')}, ${plural(runs.length, 'run')}`
  if (runs.length > 0 && cached === runs.length) {
    return `${size}; nothing to train: ${cached} of ${runs.length} runs are in the store`
  }
  return cached ? `${size}; ${cached} taken from the store` : size
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
