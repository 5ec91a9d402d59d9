import { useEffect, useRef, useState } from 'react'
import { asksNothing } from '../../engine/records/design.ts'
import { meaningIn, meaningText } from '../../engine/records/meaning.ts'
import { curveOf, metricTitle } from '../../engine/records/splits.ts'
import { plannedText } from '../../engine/study/planned/words.ts'
import { sourceNotebookText } from '../../engine/study/sourceNotebook.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { firstMetric, metricNames, neededRuns, type StudyView } from '../protocol/study.ts'
import { interrupt } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { revealStartedCell } from '../session/userFocus.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Answers } from './Answers.tsx'
import { pinBaseline } from './baselines.ts'
import { ElsewhereLine } from './ElsewhereLine.tsx'
import { Evidence } from './Evidence.tsx'
import { Family, useLedger } from './Family.tsx'
import { StudyCharts } from './factors/StudyCharts.tsx'
import { FailedRuns } from './failures/FailedRuns.tsx'
import { StudyProspect } from './Prospect.tsx'
import { progress } from './progress.ts'
import { RunReport } from './RunReport.tsx'
import { StudyActions } from './StudyActions.tsx'
import { StudyProgress } from './StudyProgress.tsx'
import { ValueSelect } from './table/ValueSelect.tsx'
import { VariantTable } from './table/VariantTable.tsx'
import type { ValueChoice } from './table/values.ts'
import { useComparison } from './useComparison.ts'

interface StudyOutputProps {
  /** The cell that shows it. */
  cell: string
  study: StudyView
  /** Whether the cell is running. */
  running: boolean
}

/** A study as it trains and after: what failed, progress, charts, comparison, and the weights of its runs. */
export function StudyOutput({ cell, study: shown, running }: StudyOutputProps) {
  const { study, reload } = useLedger(shown)
  const [chosen, setChosen] = useState<string | null>(null)
  const [choice, setChoice] = useState<ValueChoice>('last')
  const notebook = useNotebook((state) => state.name)
  const names = metricNames(study)
  const metric = chosen !== null && names.includes(chosen) ? chosen : firstMetric(study)
  const asks = study.design === undefined || !asksNothing(study.design)
  const state = progress(study)
  const training = running && state.done < state.total
  const wanted = chosen ?? study.metric
  // tests have one value, of the end
  const compared = choice === 'last' ? wanted : curveOf(wanted, names)
  const comparison = useComparison(study, compared, choice, running)
  const plan = study.design?.planned && plannedText(study.design.planned)
  const steps = Math.max(0, ...study.runs.map((run) => run.steps))
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (training && section.current) revealStartedCell(section.current)
  }, [training])
  return (
    <section
      ref={section}
      className="study"
      data-testid="study"
      data-study={study.study}
      aria-label={`study ${study.study}`}
    >
      <header className="study-head">
        <h2>{study.study}</h2>
        <span className="muted" data-testid="summary">
          {summary(study, notebook)}
        </span>
        <Choice
          label="metric"
          options={names.map(
            (name) => [name, metricTitle(name, name, meaningIn(study.runs, name).exploratory)] as const,
          )}
          value={metric}
          onChange={setChosen}
          className="metric-select"
          title={meaningText(meaningIn(study.runs, metric))}
          testId="metric"
        />
        <ValueSelect choice={choice} steps={steps} onChange={setChoice} />
        {training && (
          <Button onClick={() => interrupt(cell)} testId="interrupt-study">
            <Icon name="stop" /> Interrupt
          </Button>
        )}
      </header>
      <FailedRuns {...{ cell, study, running }} />
      <ElsewhereLine {...{ cell, study, running }} />
      <StudyProgress state={state} training={training} />
      {asks && state.done < state.total && <StudyProspect study={study} />}
      {asks && plan && (
        <p className="muted" data-testid="plan">
          {plan}
        </p>
      )}
      {asks && <Family study={study} onClosed={reload} />}
      <Answers answers={comparison.answers} soFar={comparison.soFar} />
      {study.design?.anytime && <Evidence comparison={comparison} upTo={study.design.anytime.upTo} />}
      <StudyCharts study={study} metric={curveOf(metric, names)} comparison={comparison} />
      <div className="wide">
        <VariantTable {...{ study, comparison, running }} onPin={(variant) => void pinBaseline(study, variant)} />
      </div>
      {asks && <StudyActions {...{ cell, study, comparison, running }} />}
      {asks && <RunReport study={study} />}
    </section>
  )
}

function summary({ variants, runs: all, stopped }: StudyView, notebook: string | null): string {
  const runs = neededRuns({ runs: all })
  const taken = sourceNotebookText(runs, notebook)
  const left = all.length - runs.length
  const unneeded = left > 0 ? `; ${plural(left, 'run')} ${left === 1 ? 'was' : 'were'} not needed` : ''
  const foreign = `${stopped ? `; ${stopped}${unneeded}` : ''}${taken && `; ${taken}`}`
  const cached = runs.filter((run) => run.cached && run.status === 'done').length
  const size = `${plural(variants.length, 'variant')}, ${plural(runs.length, 'run')}`
  if (runs.length > 0 && cached === runs.length) {
    return `${size}; nothing to train: ${cached} of ${runs.length} runs are in the store${foreign}`
  }
  return cached ? `${size}; ${cached} taken from the store${foreign}` : `${size}${foreign}`
}
