import { useMemo, useState } from 'react'
import { matrices } from '../../engine/charts/weights/matrices.ts'
import { spatialFilters } from '../../engine/charts/weights/spatialFilters.ts'
import type { KeptWeights } from '../../engine/records/store.ts'
import { filtersOf } from '../../engine/weights/mixing.ts'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { blockOf, blocksOf, keptAt, withSeen, wordsOf } from './kept.ts'
import { Panels } from './Panels.tsx'
import { type MatrixKind, readMatrices, seenMatrices } from './readMatrices.ts'
import { StepSlider } from './StepSlider.tsx'
import type { SteppedWeights } from './shownRun.ts'

const ALL = 'all'

interface Drawing {
  /** Which matrices. */
  kind: MatrixKind
  /** What is said of a model that has none. */
  missing: string
}

/** The ways to draw matrices. */
const DRAWINGS = {
  filters: { kind: 'mixing', missing: 'Nothing here mixes tokens by weights.' },
  mixing: { kind: 'mixing', missing: 'Nothing here mixes tokens by weights.' },
  memories: { kind: 'memories', missing: 'Nothing here has an external memory.' },
  relative: { kind: 'relative', missing: 'Nothing here has biases of relative positions.' },
} satisfies Record<string, Drawing>

/** Whether this is a way to draw matrices. */
export const isDrawing = (view: string): view is keyof typeof DRAWINGS => Object.hasOwn(DRAWINGS, view)

/** Matrices of the same block of each run, at the same step. */
export function MatrixPanels({
  runs,
  kept: stored,
  step,
  onStep,
  draw,
}: SteppedWeights & { draw: keyof typeof DRAWINGS }) {
  const { kind, missing } = DRAWINGS[draw]
  const kept = stored.map((own, i) => withSeen(own, seenMatrices(runs[i]?.id ?? 0, kind)))
  const [block, setBlock] = useState(ALL)
  const style = useFigureStyle()
  const shown = runs.map((run, i) => ({ ...run, kept: keptAt(kept[i] ?? [], step) }))
  const { value, error } = useAnswer(JSON.stringify([kind, shown.map(({ id, kept }) => [id, kept])]), () =>
    Promise.all(shown.map(async ({ id, kept }) => ({ kept, found: kept ? await readMatrices(id, kept, kind) : [] }))),
  )
  const charts = useMemo(
    () =>
      (value ?? []).map(({ found }, i) => {
        const rows = found
          .filter(({ name }) => block === ALL || blockOf(name) === Number(block))
          .map((matrix) => ({ ...matrix, run: runs[i]?.id ?? 0 }))
        if (draw !== 'filters') return rows.length > 0 ? [pageChart(style, (style) => matrices(rows, draw, style))] : []
        const filters = filtersOf(rows)
        return filters.length > 0 ? [pageChart(style, (style) => spatialFilters(filters, {}, style))] : []
      }),
    [value, block, draw, runs, style],
  )
  if (error) return <p className="bad">{error}</p>
  const blocks = blocksOf((value ?? []).flatMap(({ found }) => found.map(({ name }) => name)))
  // what is drawn stays until the next is there, and is called what it is
  const drawn = shown.map((run, i) => ({ ...run, kept: value ? (value[i]?.kept ?? null) : run.kept }))
  const isStored = (i: number, { which, step }: KeptWeights) =>
    stored[i]?.some((each) => each.which === which && each.step === step)
  const panels = drawn.map(({ id, label, kept }, i) => ({
    key: String(id),
    head: kept ? `${label}: ${isStored(i, kept) ? wordsOf(kept) : `step ${kept.step}`}` : label,
    charts: charts[i] ?? [],
    missing: !kept ? 'No weights are kept.' : value ? missing : 'Reading.',
  }))
  return (
    <Panels panels={panels}>
      <Choice
        label="layer"
        options={[[ALL, 'all blocks'], ...blocks.map((i) => [String(i), `block ${i}`] as const)]}
        value={block}
        onChange={setBlock}
      />
      <StepSlider kept={kept} step={step} onChange={onStep} />
    </Panels>
  )
}
