import type { AblationRow } from '../../../engine/charts/ablation.ts'
import type { CurveRun } from '../../../engine/charts/curves.ts'
import type { DataSizeRow } from '../../../engine/charts/dataSize.ts'
import type { DepthRow } from '../../../engine/charts/depth.ts'
import type { ParallelRow } from '../../../engine/charts/parallel.ts'
import type { ScalingRow } from '../../../engine/charts/scaling.ts'
import type { StepTimeRow } from '../../../engine/charts/stepTimes.ts'
import type { ThroughputRow } from '../../../engine/charts/throughput.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { STEP_MS } from '../../../engine/train/timings.ts'
import type { Source } from '../entry.ts'

const last = (run: StoredRun, metric: string) => run.metrics[metric]?.last ?? Number.NaN
const named = ({ variant, seed, id }: StoredRun) => ({ variant, seed, run: id })
const secondsOf = ({ ms }: StoredRun) => ms / 1000

export const variantsOf = (runs: { variant: string }[]) => [...new Set(runs.map(({ variant }) => variant))]

export async function curveRuns(source: Source, study: string, metric: string): Promise<CurveRun[]> {
  const runs = await source.runs(study)
  const series = await source.host.readSeries(
    runs.map(({ id }) => id),
    metric,
  )
  return runs.map((run, i) => {
    const { steps = [], values = [] } = series[i] ?? {}
    const perStep = { examplesPerStep: 32, secondsPerStep: secondsOf(run) / run.step }
    return { ...named(run), ...perStep, done: true, steps, values }
  })
}

export async function ablationRows(source: Source, study: string, metric: string): Promise<AblationRow[]> {
  return (await source.runs(study)).map((run) => ({ ...named(run), value: last(run, metric) }))
}

export async function scalingRows(source: Source, metric: string, study = 'sizes'): Promise<ScalingRow[]> {
  return (await source.runs(study)).map((run) => ({
    ...named(run),
    family: run.variant.split('-')[0] ?? run.variant,
    value: last(run, metric),
    parameters: run.parameters,
    macs: run.macs,
    throughput: (run.step * 32) / secondsOf(run),
    seconds: secondsOf(run),
  }))
}

export async function throughputRows(source: Source, study: string, metric: string): Promise<ThroughputRow[]> {
  const runs = await source.runs(study)
  const ids = runs.map(({ id }) => id)
  const [details, series] = [await source.host.showRuns(ids), await source.host.readSeries(ids, STEP_MS)]
  return details.map((run, i) => {
    const { backend, device, environment, startedAt, endedAt } = run
    const timed = { batch: 32, stepMs: series[i]?.values ?? [], startedAt, endedAt }
    return { ...named(run), value: last(run, metric), backend, device, environment, ...timed }
  })
}

/** Of the models of `depths`: 16 patches and 16 features (studies.ts). */
export async function stepTimeRows(source: Source): Promise<StepTimeRow[]> {
  const rows = await throughputRows(source, 'depths', 'test/accuracy')
  return rows.map(({ variant, seed, run, backend, batch, stepMs }) => {
    const [model = variant, depth] = variant.split(', ')
    const ms = [...stepMs].sort((a, b) => a - b)[stepMs.length >> 1] ?? Number.NaN
    return { model, sizes: { tokens: 16, width: 16, depth: Number(depth) }, ms, batch, backend, run, seed }
  })
}

export async function depthRows(source: Source, metric: string): Promise<DepthRow[]> {
  return (await source.runs('depths')).map((run) => {
    const [family = run.variant, depth] = run.variant.split(', ')
    return { ...named(run), family, depth: Number(depth), value: last(run, metric) }
  })
}

export async function dataSizeRows(source: Source, metric: string): Promise<DataSizeRow[]> {
  return (await source.runsOf('examples ')).map((run) => ({
    ...named(run),
    examples: Number(run.study.split(' ')[1]),
    value: last(run, metric),
  }))
}

export async function parallelRows(source: Source, metric: string): Promise<ParallelRow[]> {
  return (await source.runsOf('recipe ')).map((run) => {
    const [, rate, batch] = run.study.split(' ')
    const options = { block: run.variant, 'train.batch': Number(batch), learningRate: Number(rate) }
    return { ...named(run), options, value: last(run, metric) }
  })
}
