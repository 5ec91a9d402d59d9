import { type ReactNode, useState } from 'react'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { AttentionPanels } from './AttentionPanels.tsx'
import { ConfusionPanels } from './ConfusionPanels.tsx'
import { DifferencePanels } from './DifferencePanels.tsx'
import { HistogramPanels } from './HistogramPanels.tsx'
import { isDrawing, MatrixPanels } from './MatrixPanels.tsx'
import { NormPanels } from './NormPanels.tsx'
import { PacePanels } from './PacePanels.tsx'
import { areLive, type ShownRun } from './shownRun.ts'

const VIEWS = [
  ['pace', 'loss, rate, pace and memory'],
  ['norms', 'gradients and updates by layer'],
  ['filters', 'spatial filters'],
  ['mixing', 'token mixing'],
  ['memories', 'external memories'],
  ['relative', 'relative positions'],
  ['histograms', 'histograms over training'],
  ['attention', 'attention'],
  ['confusion', 'confusion'],
  ['difference', 'difference to another run'],
] as const

type View = (typeof VIEWS)[number][0]

interface WeightsViewProps {
  runs: readonly ShownRun[]
  /** What stands before the choice of the view. */
  children?: ReactNode
}

/** What is inside of models, in training and after: one run, or the same of several side by side. */
export function WeightsView({ runs, children }: WeightsViewProps) {
  const [view, setView] = useState<View>('filters')
  return (
    <div className="weights" data-testid="weights">
      <div className="weights-choices">
        {children}
        <Choice label="show" options={VIEWS} value={view} onChange={setView} />
      </div>
      {/* answers belong to these runs */}
      <Weights key={runs.map(({ id }) => id).join(' ')} runs={runs} view={view} />
    </div>
  )
}

function Weights({ runs, view }: { runs: readonly ShownRun[]; view: View }) {
  const [step, onStep] = useState(Number.POSITIVE_INFINITY)
  const { value: kept, error } = useAnswer(
    '',
    () => Promise.all(runs.map(({ id }) => host().listWeights(id))),
    () => areLive(runs),
  )
  if (error) return <p className="bad">{error}</p>
  if (!kept) return null
  const stepped = { runs, kept, step, onStep }
  return (
    <>
      {isDrawing(view) && <MatrixPanels key={view} {...stepped} draw={view} />}
      {view === 'pace' && <PacePanels runs={runs} />}
      {view === 'norms' && <NormPanels runs={runs} />}
      {view === 'histograms' && <HistogramPanels runs={runs} />}
      {view === 'attention' && <AttentionPanels {...stepped} />}
      {view === 'confusion' && <ConfusionPanels runs={runs} />}
      {view === 'difference' && <DifferencePanels {...stepped} />}
    </>
  )
}
