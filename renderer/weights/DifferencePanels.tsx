import { useMemo, useState } from 'react'
import { matrices } from '../../engine/charts/weights/matrices.ts'
import type { KeptWeights } from '../../engine/records/store.ts'
import { type Change, changesOf, matrixDifferences } from '../../engine/weights/difference.ts'
import { type MixingMatrix, mixingMatrices } from '../../engine/weights/mixing.ts'
import { readSafetensors, type SafetensorsFile } from '../../engine/weights/safetensors.ts'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { keptAt, wordsOf } from './kept.ts'
import { Panels } from './Panels.tsx'
import { StepSlider } from './StepSlider.tsx'
import type { SteppedWeights } from './shownRun.ts'

/** Runs of the store that are offered at most. */
const OFFERED = 300

/** How far the parameters of two runs of the same architecture are apart, at the same step. */
export function DifferencePanels({ runs, kept, step, onStep }: SteppedWeights) {
  const [first, setFirst] = useState(runs[0]?.id ?? 0)
  const [second, setSecond] = useState<number | null>(null)
  const style = useFigureStyle()
  const others = useAnswer(`${first}`, () => alike(first))
  const offered = (others.value ?? []).map(({ id, study, variant, seed }) => {
    return [String(id), `${study} / ${variant}, seed ${seed}`] as const
  })
  const beside = runs.find(({ id }) => id !== first && offered.some(([other]) => other === String(id)))
  const usual = beside?.id ?? Number(offered[0]?.[0] ?? 0)
  const other = offered.some(([id]) => id === String(second)) ? (second ?? 0) : usual
  const own = kept[runs.findIndex(({ id }) => id === first)] ?? []
  const theirs = useAnswer(`${other}`, async () => (other ? host().listWeights(other) : []))
  const shown = [keptAt(own, step), keptAt(theirs.value ?? [], step)] as const
  const found = useAnswer(JSON.stringify([first, other, shown]), async () => {
    const [a, b] = shown
    return a && b ? readDifference({ run: first, kept: a }, { run: other, kept: b }) : null
  })
  const charts = useMemo(() => {
    const rows = found.value?.matrices ?? []
    return rows.length > 0 ? [pageChart(style, (style) => matrices(rows, 'difference', style))] : []
  }, [found.value, style])
  const error = others.error ?? theirs.error ?? found.error
  const rows = (found.value?.changes ?? []).map(({ name, shape, norm, difference, relative }) => {
    return [name, `[${shape.join(', ')}]`, relative, difference, norm]
  })
  const steps = [own, theirs.value ?? []]
  if (others.value && offered.length === 0) {
    return <p className="muted">There is no other run with as many parameters and weights.</p>
  }
  return (
    <>
      {error && <p className="bad">{error}</p>}
      <Panels
        panels={[
          {
            key: 'difference',
            head: found.value?.head ?? 'difference',
            charts,
            missing: found.value ? 'Nothing here mixes tokens by weights.' : '',
          },
        ]}
      >
        {runs.length > 1 && (
          <Choice
            label="run"
            options={runs.map(({ id, label }) => [String(id), label])}
            value={String(first)}
            onChange={(id) => setFirst(Number(id))}
          />
        )}
        <Choice
          label="and"
          options={offered}
          value={String(other)}
          onChange={(id) => setSecond(Number(id))}
          testId="other-run"
        />
        <StepSlider kept={steps} step={step} onChange={onStep} />
      </Panels>
      {rows.length > 0 && (
        <DataTable
          label="Change of each parameter"
          columns={['parameter', 'shape', 'relative change', 'norm of the difference', 'norm']}
          rows={rows}
          total={rows.length}
        />
      )}
    </>
  )
}

/** The other runs with weights that have as many parameters as a run, the newest first. */
async function alike(id: number) {
  const { parameters } = await host().showRun(String(id))
  const recent = await host().listRuns({ limit: OFFERED })
  return recent.filter((run) => run.id !== id && run.hasWeights && run.parameters === parameters)
}

/** Weights of a run. */
interface OfRun {
  run: number
  kept: KeptWeights
}

/** What is drawn of two runs, and which weights it is of: it stays until the next is there. */
interface Difference {
  head: string
  changes: Change[]
  matrices: MixingMatrix[]
}

/** How far the weights of a run are from those of another. Rejects with MixlabError `store` or `weights`. */
async function readDifference(first: OfRun, second: OfRun): Promise<Difference> {
  const [a, b] = [await read(first), await read(second)]
  return {
    head: `run ${second.run}, ${wordsOf(second.kept)}, minus run ${first.run}, ${wordsOf(first.kept)}`,
    changes: changesOf(a.tensors, b.tensors, `run ${second.run}`),
    matrices: matrixDifferences(mixingMatrices(a), mixingMatrices(b)),
  }
}

async function read({ run, kept }: OfRun): Promise<SafetensorsFile> {
  return readSafetensors(await host().readWeights(run, kept.which), `weights of run ${run}`)
}
