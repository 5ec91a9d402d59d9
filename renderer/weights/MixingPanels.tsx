import { useMemo, useState } from 'react'
import type { KeptWeights } from '../../engine/records/store.ts'
import { useFigureStyle } from '../charts/figure/useFigureStyle.ts'
import { spatialFilters } from '../charts/spatialFilters.ts'
import { tokenMixing } from '../charts/tokenMixing.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { blockOf, blocksOf, filtersOf, keptAt, wordsOf } from './kept.ts'
import { Panels } from './Panels.tsx'
import { readMatrices } from './readMatrices.ts'
import { StepSlider } from './StepSlider.tsx'
import type { ShownRun } from './shownRun.ts'

interface MixingPanelsProps {
  runs: readonly ShownRun[]
  /** Of each run, which weights there are. */
  kept: readonly KeptWeights[][]
  draw: 'filters' | 'matrices'
}

const ALL = 'all'

/** The token-mixing weights of the same block of each run, at the same step. */
export function MixingPanels({ runs, kept, draw }: MixingPanelsProps) {
  const [step, setStep] = useState(Number.POSITIVE_INFINITY)
  const [block, setBlock] = useState(ALL)
  const style = useFigureStyle()
  const shown = runs.map((run, i) => ({ ...run, kept: keptAt(kept[i] ?? [], step) }))
  const { value, error } = useAnswer(JSON.stringify(shown.map(({ id, kept }) => [id, kept])), () =>
    Promise.all(shown.map(({ id, kept }) => (kept ? readMatrices(id, kept) : []))),
  )
  const charts = useMemo(
    () =>
      (value ?? []).map((matrices, i) => {
        const rows = matrices
          .filter(({ name }) => block === ALL || blockOf(name) === Number(block))
          .map((matrix) => ({ ...matrix, run: runs[i]?.id ?? 0 }))
        if (draw === 'matrices') return rows.length > 0 ? [tokenMixing(rows, style)] : []
        const filters = filtersOf(rows)
        return filters.length > 0 ? [spatialFilters(filters, {}, style)] : []
      }),
    [value, block, draw, runs, style],
  )
  if (error) return <p className="bad">{error}</p>
  const blocks = blocksOf((value ?? []).flatMap((matrices) => matrices.map(({ name }) => name)))
  const panels = shown.map(({ id, label, kept }, i) => ({
    key: String(id),
    head: kept ? `${label}: ${wordsOf(kept)}` : label,
    charts: charts[i] ?? [],
    missing: !kept ? 'No weights are kept.' : value ? 'Nothing here mixes tokens by weights.' : 'Reading.',
  }))
  return (
    <Panels panels={panels}>
      <Choice
        label="layer"
        options={[[ALL, 'all blocks'], ...blocks.map((i) => [String(i), `block ${i}`] as const)]}
        value={block}
        onChange={setBlock}
      />
      <StepSlider kept={kept} step={step} onChange={setStep} />
    </Panels>
  )
}
