import { useState } from 'react'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { AttentionPanels } from './AttentionPanels.tsx'
import { ConfusionPanels } from './ConfusionPanels.tsx'
import { DifferencePanels } from './DifferencePanels.tsx'
import { HistogramPanels } from './HistogramPanels.tsx'
import { isDrawing, MatrixPanels } from './MatrixPanels.tsx'
import { areLive, type ShownRun } from './shownRun.ts'

const VIEWS = [
  ['filters', 'spatial filters'],
  ['mixing', 'token mixing'],
  ['memories', 'external memories'],
  ['relative', 'relative positions'],
  ['histograms', 'histograms over training'],
  ['attention', 'attention'],
  ['confusion', 'confusion'],
  ['difference', 'difference to another run'],
] as const

interface WeightsViewProps {
  runs: readonly ShownRun[]
}

/** What is inside of trained models: one run, or the same of several side by side. */
export function WeightsView({ runs }: WeightsViewProps) {
  return <Weights key={runs.map(({ id }) => id).join(' ')} runs={runs} /> // answers belong to these runs
}

function Weights({ runs }: WeightsViewProps) {
  const [view, setView] = useState<(typeof VIEWS)[number][0]>('filters')
  const { value: kept, error } = useAnswer(
    '',
    () => Promise.all(runs.map(({ id }) => host().listWeights(id))),
    () => areLive(runs),
  )
  if (error) return <p className="bad">{error}</p>
  if (!kept) return null
  return (
    <div className="weights" data-testid="weights">
      <Choice label="show" options={VIEWS} value={view} onChange={setView} />
      {isDrawing(view) && <MatrixPanels key={view} runs={runs} kept={kept} draw={view} />}
      {view === 'histograms' && <HistogramPanels runs={runs} />}
      {view === 'attention' && <AttentionPanels runs={runs} kept={kept} />}
      {view === 'confusion' && <ConfusionPanels runs={runs} />}
      {view === 'difference' && <DifferencePanels runs={runs} kept={kept} />}
    </div>
  )
}
