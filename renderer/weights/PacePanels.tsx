import { useMemo } from 'react'
import { multiples } from '../../engine/charts/multiples.ts'
import type { SeriesBand } from '../../engine/records/series.ts'
import { AUGMENT_THREADS, LEARNING_RATE, MEMORY_BYTES, STEP_MS, WAIT_MS } from '../../engine/train/timings.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { areLive, type ShownRun } from './shownRun.ts'

/** Steps of a curve. */
const STEPS = 300

const PACE = 'examples a second'

/** What is read, with what stands above its panel and the factor of its values there. */
const PANELS: [metric: string, title: string, factor?: number][] = [
  ['train/loss', 'loss of training'],
  ['train/gradient_norm', 'norm of the gradient'],
  [LEARNING_RATE, 'learning rate, thousandths', 1e3], // ticks as short as those of the panels beside it
  [STEP_MS, 'a step, ms'],
  [WAIT_MS, 'of it waiting for data, ms'],
  [AUGMENT_THREADS, 'threads that augment'],
  [MEMORY_BYTES, 'memory, MB', 1e-6],
]
const READ = PANELS.map(([metric]) => metric)
const TITLES = [...PANELS.map(([, title]) => title), PACE]

/** Loss, learning rate, pace, times and memory of the runs over the steps. */
export function PacePanels({ runs }: { runs: readonly ShownRun[] }) {
  const style = useFigureStyle()
  const live = () => areLive(runs)
  const groups = runs.map(({ id, label }) => ({ name: label, runs: [id] }))
  const { value: batches } = useAnswer('', () => Promise.all(runs.map(({ id }) => batchOf(id))))
  const { value, error } = useAnswer('', () => host().readBands(groups, READ, STEPS), live)
  const chart = useMemo(() => {
    const names = runs.map(({ label }) => label)
    const bands = (value ?? []).filter(({ steps }) => steps.length > 0)
    const paces = bands.flatMap((band) =>
      band.metric === STEP_MS ? paceOf(band, batches?.[names.indexOf(band.group)] ?? null) : [],
    )
    const rows = [...bands.map(titled), ...paces]
    const metrics = TITLES.filter((title) => rows.some(({ metric }) => metric === title))
    return pageChart(style, (style) => ({
      ...multiples(rows, { metrics, groups: names }, style),
      title: 'Over the steps',
    }))
  }, [value, batches, runs, style])
  if (error) return <p className="bad">{error}</p>
  if (value && chart.rows.length === 0) return <p className="muted">No step was done yet.</p>
  return value && <ChartView chart={chart} />
}

/** A metric under the title of its panel. */
function titled(band: SeriesBand): SeriesBand {
  const [, title = band.metric, factor = 1] = PANELS.find(([metric]) => metric === band.metric) ?? []
  const scaled = <Value extends number | null>(values: Value[]) =>
    values.map((value) => (value === null ? value : value * factor) as Value)
  const { mean, sd, min, max } = band
  return { ...band, metric: title, mean: scaled(mean), sd: scaled(sd), min: scaled(min), max: scaled(max) }
}

/** Examples of a step of a run. */
async function batchOf(id: number): Promise<number | null> {
  const { spec } = await host().showRun(String(id))
  const { train } = spec as { train?: { batch?: number } }
  return train?.batch ?? null
}

/** Examples a second, by the time of a step. */
function paceOf(band: SeriesBand, batch: number | null): SeriesBand[] {
  if (batch === null) return []
  const pace = (times: number[]) => times.map((ms) => (1000 * batch) / ms)
  const { mean, min, max, sd } = band
  return [{ ...band, metric: PACE, mean: pace(mean), min: pace(max), max: pace(min), sd: sd.map(() => null) }]
}
