import { useMemo, useState } from 'react'
import { attention } from '../../engine/charts/weights/attention.ts'
import { messageOf } from '../../engine/errors.ts'
import type { AttentionMap } from '../../engine/nn/attentionMaps.ts'
import type { KeptWeights } from '../../engine/records/store.ts'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { attentionOfRun } from '../model/worker.ts'
import { Choice } from '../ui/Choice.tsx'
import { blockOf, blocksOf, keptAt, wordsOf } from './kept.ts'
import { Panels } from './Panels.tsx'
import { StepSlider } from './StepSlider.tsx'
import type { SteppedWeights } from './shownRun.ts'

/** Held-out examples that can be chosen. */
const EXAMPLES = 20

/** What the tokens of a held-out example attend to in the same block of each run, at the same step. */
export function AttentionPanels({ runs, kept, step, onStep }: SteppedWeights) {
  const [block, setBlock] = useState<string | null>(null)
  const [example, setExample] = useState('0')
  const style = useFigureStyle()
  const shown = runs.map((run, i) => ({ ...run, kept: keptAt(kept[i] ?? [], step) }))
  const { value } = useAnswer(JSON.stringify([example, shown.map(({ id, kept }) => [id, kept])]), async () => {
    const found: Read[] = []
    for (const { id, kept } of shown) found.push(await readAttention(id, kept, example))
    return found
  })
  const blocks = blocksOf((value ?? []).flatMap(({ maps }) => maps.map(({ layer }) => `${layer}.`)))
  const chosen = block !== null && blocks.includes(Number(block)) ? Number(block) : (blocks.at(-1) ?? 0)
  const charts = useMemo(
    () =>
      (value ?? []).map((found, i) => {
        const rows = found.maps.filter(({ layer }) => blockOf(`${layer}.`) === chosen)
        const own = rows.map((row) => ({ ...row, run: runs[i]?.id ?? 0 }))
        return own.length > 0 ? [pageChart(style, (style) => attention(own, style))] : []
      }),
    [value, chosen, runs, style],
  )
  const panels = shown.map(({ id, label }, i) => ({
    key: String(id),
    head: value?.[i] ? `${label}: ${value[i].of}` : label,
    charts: charts[i] ?? [],
    missing: value ? (value[i]?.error ?? 'Nothing attends here.') : 'The model is made again...',
  }))
  return (
    <Panels panels={panels}>
      {blocks.length > 0 && (
        <Choice
          label="layer"
          options={blocks.map((i) => [String(i), `block ${i}`])}
          value={String(chosen)}
          onChange={setBlock}
        />
      )}
      <Choice
        label="example"
        options={Array.from({ length: EXAMPLES }, (_, i) => String(i))}
        value={example}
        onChange={setExample}
      />
      <StepSlider kept={kept} step={step} onChange={onStep} />
    </Panels>
  )
}

/** Attention, and of which weights and example it is: what is drawn stays until the next is there. */
interface Read {
  of: string
  maps: AttentionMap[]
  error: string | null
}

/** The attention of a run for a held-out example, or why there is none. */
async function readAttention(run: number, kept: KeptWeights | null, example: string): Promise<Read> {
  if (!kept) return { of: 'no weights', maps: [], error: 'No weights are kept.' }
  const of = `${wordsOf(kept)}, example ${example}`
  try {
    return { of, maps: await attentionOfRun(run, kept.which, Number(example)), error: null }
  } catch (error) {
    return { of, maps: [], error: messageOf(error) }
  }
}
