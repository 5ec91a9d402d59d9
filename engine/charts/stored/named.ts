import { curveOf } from '../../records/splits.ts'
import { crossingOf } from '../../study/design/crossing.ts'
import { isNumeric } from '../../study/design/spacing.ts'
import { verdicts } from '../../study/statistics/index.ts'
import { STEP_MS } from '../../train/timings.ts'
import { ablation } from '../ablation.ts'
import { curves } from '../curves.ts'
import { evidenceBySeed } from '../evidence.ts'
import { factorGrid } from '../factors/grid.ts'
import { interaction } from '../factors/interaction.ts'
import { numericFactor } from '../factors/numeric.ts'
import type { FactorRow } from '../factors/rows.ts'
import type { Panel } from '../figure/chart.ts'
import { multiples } from '../multiples.ts'
import { parallel } from '../parallel.ts'
import { scaling } from '../scaling.ts'
import { throughput } from '../throughput.ts'
import { INSIDE } from './inside.ts'
import { dataSizeOf, depthOf } from './sizes.ts'
import { metricOf, type NamedChart, resultsOf, type StoredRuns } from './source.ts'

const BUCKETS = 400 // points of a curve: more than paper shows

/** The charts of stored runs. */
export const NAMED_CHARTS: Record<string, NamedChart> = {
  curves: { words: 'the metric over steps', panels: curvesOf },
  metrics: { words: 'every metric over steps, a panel each', panels: metricsOf },
  variants: {
    words: 'mean and seeds of each variant',
    panels: (stored) => {
      const { variants, baseline } = stored
      return [(style) => ablation(resultsOf(stored), { ...metricOf(stored), variants, baseline }, style)]
    },
  },
  parameters: { words: 'the metric against the number of parameters', panels: costs('parameters') },
  macs: { words: 'the metric against multiply-adds', panels: costs('macs') },
  depth: { words: 'the metric against the number of blocks', panels: depthOf },
  dataSize: { words: 'the metric against the number of training examples', panels: dataSizeOf },
  throughput: { words: 'the metric against examples a second of training', panels: throughputOf },
  options: { words: 'a line per run through its options to the metric', panels: parallelOf },
  factor: { words: 'the metric against a factor that is a number', panels: factors('factor') },
  grid: { words: 'the metric by two factors, as a heat map', panels: factors('grid') },
  interaction: { words: 'the metric by the levels of factors', panels: factors('interaction') },
  evidence: { words: 'the evidence after each seed', panels: evidenceOf },
  ...INSIDE,
}

async function curvesOf(stored: StoredRuns): Promise<Panel[]> {
  const { host, runs, variants, metric: asked, meanings } = stored
  const metric = curveOf(asked, Object.keys(meanings))
  const series = await host.readSeries(
    runs.map(({ id }) => id),
    metric,
    BUCKETS,
  )
  const rows = runs.map(({ variant, seed, id }) => {
    const { steps = [], values = [] } = series.find(({ run }) => run === id) ?? {}
    return { variant, seed, run: id, done: true, steps, values }
  })
  return [(style) => curves(rows, { metric, meaning: meanings[metric], variants }, style)]
}

async function metricsOf({ host, runs, variants, meanings }: StoredRuns): Promise<Panel[]> {
  const metrics = Object.keys(meanings).filter((name) => runs.some((run) => (run.metrics[name]?.count ?? 0) > 1))
  const groups = variants.map((name) => ({
    name,
    runs: runs.filter((run) => run.variant === name).map(({ id }) => id),
  }))
  const rows = await host.readBands(groups, metrics, BUCKETS)
  return [(style) => multiples(rows, { metrics, meanings, groups: variants }, style)]
}

function costs(cost: 'parameters' | 'macs'): NamedChart['panels'] {
  return (stored) => {
    const rows = resultsOf(stored).map((row, i) => ({ ...row, [cost]: stored.runs[i]?.[cost] ?? null }))
    return [(style) => scaling(rows, { ...metricOf(stored), cost }, style)]
  }
}

async function throughputOf(stored: StoredRuns): Promise<Panel[]> {
  const ids = stored.runs.map(({ id }) => id)
  const [details, series] = [await stored.host.showRuns(ids), await stored.host.readSeries(ids, STEP_MS)]
  const rows = resultsOf(stored).flatMap((row) => {
    const run = details.find(({ id }) => id === row.run)
    if (!run) return []
    const { backend, device, environment, startedAt, endedAt, spec } = run
    const { train } = spec as { train?: { batch?: number } }
    const stepMs = series.find((each) => each.run === row.run)?.values ?? []
    return [{ ...row, backend, device, environment, startedAt, endedAt, batch: train?.batch ?? Number.NaN, stepMs }]
  })
  return [(style) => throughput(rows, metricOf(stored), style)]
}

function parallelOf(stored: StoredRuns): Panel[] {
  const settings = new Map(stored.design?.variants.map(({ variant, settings }) => [variant, settings]))
  const rows = resultsOf(stored).map((row) => {
    const options = Object.entries(settings.get(row.variant) ?? {}).map(
      ([name, value]) => [name, typeof value === 'boolean' ? String(value) : value] as const,
    )
    return { ...row, options: { variant: row.variant, ...Object.fromEntries(options) } }
  })
  return [(style) => parallel(rows, metricOf(stored), style)]
}

function factors(chart: 'factor' | 'grid' | 'interaction'): NamedChart['panels'] {
  return (stored) => {
    const crossing = crossingOf(stored.design?.variants ?? [])
    if (!crossing) return []
    const rows = resultsOf(stored).map(({ variant, value, ...row }): FactorRow => {
      return { ...row, levels: crossing.levels.get(variant) ?? {}, value: Number.isFinite(value) ? value : null }
    })
    const [first, second] = crossing.factors
    const options = { ...metricOf(stored), factors: crossing.factors }
    if (!first) return []
    if (chart === 'grid')
      return second ? [(style) => factorGrid(rows, { ...options, x: first.name, y: second.name }, style)] : []
    const numbers = crossing.factors.filter(isNumeric)
    const along = chart === 'factor' ? numbers[0] : (crossing.factors.find((factor) => !isNumeric(factor)) ?? first)
    if (!along) return []
    const lines = crossing.factors.filter(({ name }) => name !== along.name).map(({ name }) => name)
    const draw = chart === 'factor' ? numericFactor : interaction
    return [(style) => draw(rows, { ...options, x: along.name, lines }, style)]
  }
}

function evidenceOf({ runs, variants, baseline, metric, design }: StoredRuns): Panel[] {
  if (!design?.anytime) return []
  const { upTo } = design.anytime
  const rows = verdicts({ metric, runs, variants, baseline, design }).flatMap(({ variant, looks }) =>
    looks ? [{ name: variant, ...looks }] : [],
  )
  return [(style) => evidenceBySeed(rows, upTo, style)]
}
