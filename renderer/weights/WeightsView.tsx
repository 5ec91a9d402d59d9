import { useState } from 'react'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { AttentionPanels } from './AttentionPanels.tsx'
import { ConfusionPanels } from './ConfusionPanels.tsx'
import { HistogramPanels } from './HistogramPanels.tsx'
import { MixingPanels } from './MixingPanels.tsx'
import { areLive, type ShownRun } from './shownRun.ts'

const VIEWS = [
  ['filters', 'spatial filters'],
  ['matrices', 'token mixing'],
  ['histograms', 'histograms over training'],
  ['attention', 'attention'],
  ['confusion', 'confusion'],
] as const

type View = (typeof VIEWS)[number][0]

interface WeightsViewProps {
  runs: readonly ShownRun[]
}

/** What is inside of trained models: one run, or the same of several side by side. */
export function WeightsView({ runs }: WeightsViewProps) {
  return <Weights key={runs.map(({ id }) => id).join(' ')} runs={runs} /> // answers belong to these runs
}

function Weights({ runs }: WeightsViewProps) {
  const [view, setView] = useState<View>('filters')
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
      {(view === 'filters' || view === 'matrices') && <MixingPanels runs={runs} kept={kept} draw={view} />}
      {view === 'histograms' && <HistogramPanels runs={runs} />}
      {view === 'attention' && <AttentionPanels runs={runs} kept={kept} />}
      {view === 'confusion' && <ConfusionPanels runs={runs} />}
    </div>
  )
}
