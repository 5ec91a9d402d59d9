import { useMemo, useState } from 'react'
import { matrices } from '../../engine/charts/weights/matrices.ts'
import { spatialFilters } from '../../engine/charts/weights/spatialFilters.ts'
import type { KeptWeights } from '../../engine/records/store.ts'
import { type MixingMatrix, mixingMatrices } from '../../engine/weights/mixing.ts'
import { readSafetensors, type SafetensorsFile } from '../../engine/weights/safetensors.ts'
import { externalMemories, relativePositions } from '../../engine/weights/tables.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { blockOf, blocksOf, filtersOf, keptAt, wordsOf } from './kept.ts'
import { Panels } from './Panels.tsx'
import { StepSlider } from './StepSlider.tsx'
import type { ShownWeights } from './shownRun.ts'

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
export function MatrixPanels({ runs, kept, draw }: ShownWeights & { draw: keyof typeof DRAWINGS }) {
  const { kind, missing } = DRAWINGS[draw]
  const [step, setStep] = useState(Number.POSITIVE_INFINITY)
  const [block, setBlock] = useState(ALL)
  const style = useFigureStyle()
  const shown = runs.map((run, i) => ({ ...run, kept: keptAt(kept[i] ?? [], step) }))
  const { value, error } = useAnswer(JSON.stringify([kind, shown.map(({ id, kept }) => [id, kept])]), () =>
    Promise.all(shown.map(({ id, kept }) => (kept ? readMatrices(id, kept, kind) : []))),
  )
  const charts = useMemo(
    () =>
      (value ?? []).map((found, i) => {
        const rows = found
          .filter(({ name }) => block === ALL || blockOf(name) === Number(block))
          .map((matrix) => ({ ...matrix, run: runs[i]?.id ?? 0 }))
        if (draw !== 'filters') return rows.length > 0 ? [matrices(rows, draw, style)] : []
        const filters = filtersOf(rows)
        return filters.length > 0 ? [spatialFilters(filters, {}, style)] : []
      }),
    [value, block, draw, runs, style],
  )
  if (error) return <p className="bad">{error}</p>
  const blocks = blocksOf((value ?? []).flatMap((found) => found.map(({ name }) => name)))
  const panels = shown.map(({ id, label, kept }, i) => ({
    key: String(id),
    head: kept ? `${label}: ${wordsOf(kept)}` : label,
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
      <StepSlider kept={kept} step={step} onChange={setStep} />
    </Panels>
  )
}

/** How many weights are remembered, so that a slider goes back and forth without reading them again. */
const REMEMBERED = 64

const remembered = new Map<string, Promise<MixingMatrix[]>>()

/** What is drawn of weights as matrices; only those over tokens may have a grid. */
const READERS = {
  mixing: mixingMatrices,
  memories: ({ tensors }: SafetensorsFile) => externalMemories(tensors).map(gridless),
  relative: ({ tensors }: SafetensorsFile) => relativePositions(tensors).map(gridless),
}

type MatrixKind = keyof typeof READERS

/** Matrices of weights of a run. Rejects with MixlabError `store` or `weights`. */
function readMatrices(run: number, { which, step }: KeptWeights, kind: MatrixKind): Promise<MixingMatrix[]> {
  const key = `${run}/${which}/${step}/${kind}`
  const known = remembered.get(key)
  if (known) return known
  const read = host()
    .readWeights(run, which)
    .then((file) => READERS[kind](readSafetensors(file, `weights of run ${run}`)))
  read.catch(() => remembered.delete(key))
  remembered.set(key, read)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break
    remembered.delete(oldest)
  }
  return read
}

function gridless<Of extends object>(matrix: Of): Of & { grid: null } {
  return { ...matrix, grid: null }
}
