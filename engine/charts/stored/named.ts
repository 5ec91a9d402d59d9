import type { StoredRun } from '../../records/run.ts'
import { curveOf } from '../../records/splits.ts'
import { crossingOf } from '../../study/design/crossing.ts'
import { isNumeric } from '../../study/design/spacing.ts'
import { verdicts } from '../../study/statistics/index.ts'
import { STEP_MS } from '../../train/timings.ts'
import { mixingMatrices } from '../../weights/mixing.ts'
import { readSafetensors } from '../../weights/safetensors.ts'
import { externalMemories } from '../../weights/tables.ts'
import { ablation } from '../ablation.ts'
import { confusions } from '../confusion.ts'
import { curves } from '../curves.ts'
import { evidenceBySeed } from '../evidence.ts'
import { factorGrid } from '../factors/grid.ts'
import { interaction } from '../factors/interaction.ts'
import { numericFactor } from '../factors/numeric.ts'
import type { FactorRow } from '../factors/rows.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { multiples } from '../multiples.ts'
import { parallel } from '../parallel.ts'
import { scaling } from '../scaling.ts'
import { throughput } from '../throughput.ts'
import { histograms } from '../weights/histograms.ts'
import { matrices } from '../weights/matrices.ts'
import { spatialFilters } from '../weights/spatialFilters.ts'
import { dataSizeOf, depthOf } from './sizes.ts'
import { metricOf, onePerVariant, resultsOf, type StoredRuns } from './source.ts'

/** A chart that is made of stored runs by its name; none where these have nothing of the kind. */
export interface NamedChart {
  words: string
  make(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> | Chart[]
}

const BUCKETS = 400 // points of a curve: more than paper shows

/** The charts of stored runs. */
export const NAMED_CHARTS: Record<string, NamedChart> = {
  curves: { words: 'the metric over steps', make: curvesOf },
  metrics: { words: 'every metric over steps, a panel each', make: metricsOf },
  variants: {
    words: 'mean and seeds of each variant',
    make: (stored, style) => {
      const { variants, baseline } = stored
      return [ablation(resultsOf(stored), { ...metricOf(stored), variants, baseline }, style)]
    },
  },
  parameters: { words: 'the metric against the number of parameters', make: costs('parameters') },
  macs: { words: 'the metric against multiply-adds', make: costs('macs') },
  depth: { words: 'the metric against the number of blocks', make: depthOf },
  dataSize: { words: 'the metric against the number of training examples', make: dataSizeOf },
  throughput: { words: 'the metric against examples a second of training', make: throughputOf },
  options: { words: 'a line per run through its options to the metric', make: parallelOf },
  factor: { words: 'the metric against a factor that is a number', make: factors('factor') },
  grid: { words: 'the metric by two factors, as a heat map', make: factors('grid') },
  interaction: { words: 'the metric by the levels of factors', make: factors('interaction') },
  evidence: { words: 'the evidence after each seed', make: evidenceOf },
  confusion: {
    words: 'what each class was taken for',
    make: async (stored, style) => {
      const found = []
      for (const run of onePerVariant(stored)) {
        const report = await stored.host.readReport(run.id)
        const { test, ...others } = report ?? {}
        found.push(...titled(confusions(test ? { test } : others, run.id, style), run, stored))
      }
      return found
    },
  },
  mixing: {
    words: 'token-mixing weights',
    make: weights((tensors, run, style) =>
      drawn(mixingMatrices(tensors), (rows) =>
        matrices(
          rows.map((row) => ({ ...row, run })),
          'mixing',
          style,
        ),
      ),
    ),
  },
  filters: {
    words: 'spatial filters of token mixing',
    make: weights((tensors, run, style) =>
      drawn(
        mixingMatrices(tensors).filter(({ grid }) => grid),
        (rows) =>
          spatialFilters(
            rows.map((row) => ({ ...row, run })),
            {},
            style,
          ),
      ),
    ),
  },
  memories: {
    words: 'external memories',
    make: weights((tensors, run, style) =>
      drawn(externalMemories(tensors.tensors), (rows) =>
        matrices(
          rows.map((row) => ({ ...row, run })),
          'memories',
          style,
        ),
      ),
    ),
  },
  histograms: { words: 'how the values of each tensor are spread over training', make: histogramsOf },
}

async function curvesOf(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> {
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
  return [curves(rows, { metric, meaning: meanings[metric], variants }, style)]
}

async function metricsOf({ host, runs, variants, meanings }: StoredRuns, style: FigureStyle): Promise<Chart[]> {
  const metrics = Object.keys(meanings).filter((name) => runs.some((run) => (run.metrics[name]?.count ?? 0) > 1))
  const groups = variants.map((name) => ({
    name,
    runs: runs.filter((run) => run.variant === name).map(({ id }) => id),
  }))
  return [multiples(await host.readBands(groups, metrics, BUCKETS), { metrics, meanings, groups: variants }, style)]
}

function costs(cost: 'parameters' | 'macs'): NamedChart['make'] {
  return (stored, style) => {
    const rows = resultsOf(stored).map((row, i) => ({ ...row, [cost]: stored.runs[i]?.[cost] ?? null }))
    return [scaling(rows, { ...metricOf(stored), cost }, style)]
  }
}

async function throughputOf(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> {
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
  return [throughput(rows, metricOf(stored), style)]
}

async function parallelOf(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> {
  const settings = new Map(stored.design?.variants.map(({ variant, settings }) => [variant, settings]))
  const rows = resultsOf(stored).map((row) => {
    const options = Object.entries(settings.get(row.variant) ?? {}).map(
      ([name, value]) => [name, typeof value === 'boolean' ? String(value) : value] as const,
    )
    return { ...row, options: { variant: row.variant, ...Object.fromEntries(options) } }
  })
  return [parallel(rows, metricOf(stored), style)]
}

function factors(chart: 'factor' | 'grid' | 'interaction'): NamedChart['make'] {
  return (stored, style) => {
    const crossing = crossingOf(stored.design?.variants ?? [])
    if (!crossing) return []
    const rows = resultsOf(stored).map(({ variant, value, ...row }): FactorRow => {
      return { ...row, levels: crossing.levels.get(variant) ?? {}, value: Number.isFinite(value) ? value : null }
    })
    const [first, second] = crossing.factors
    const options = { ...metricOf(stored), factors: crossing.factors }
    if (!first) return []
    if (chart === 'grid') return second ? [factorGrid(rows, { ...options, x: first.name, y: second.name }, style)] : []
    const numbers = crossing.factors.filter(isNumeric)
    const along = chart === 'factor' ? numbers[0] : (crossing.factors.find((factor) => !isNumeric(factor)) ?? first)
    if (!along) return []
    const lines = crossing.factors.filter(({ name }) => name !== along.name).map(({ name }) => name)
    const draw = chart === 'factor' ? numericFactor : interaction
    return [draw(rows, { ...options, x: along.name, lines }, style)]
  }
}

function evidenceOf({ runs, variants, baseline, metric, design }: StoredRuns, style: FigureStyle): Chart[] {
  if (!design?.anytime) return []
  const rows = verdicts({ metric, runs, variants, baseline, design }).flatMap(({ variant, looks }) =>
    looks ? [{ name: variant, ...looks }] : [],
  )
  return [evidenceBySeed(rows, design.anytime.upTo, style)]
}

type OfWeights = (file: ReturnType<typeof readSafetensors>, run: number, style: FigureStyle) => Chart[]

function weights(of: OfWeights): NamedChart['make'] {
  return async (stored, style) => {
    const found = []
    for (const run of onePerVariant(stored)) {
      if (!run.hasWeights) continue
      const charts = of(readSafetensors(await stored.host.readWeights(run.id)), run.id, style)
      found.push(...titled(charts, run, stored))
    }
    return found
  }
}

/** Charts of one run, which say so where there are several. */
function titled(charts: Chart[], { variant, seed }: StoredRun, { variants }: StoredRuns): Chart[] {
  if (variants.length < 2) return charts
  return charts.map((chart) => ({ ...chart, title: `${chart.title}: ${variant}, seed ${seed}` }))
}

function drawn<Row>(rows: Row[], draw: (rows: Row[]) => Chart): Chart[] {
  return rows.length > 0 ? [draw(rows)] : []
}

async function histogramsOf(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> {
  const found = []
  for (const run of onePerVariant(stored)) {
    for (const name of await stored.host.listHistograms(run.id)) {
      const rows = (await stored.host.readHistograms(run.id, name)).filter(({ kind }) => kind === 'weights')
      const own = rows.map((row) => ({ ...row, run: run.id }))
      const charts = drawn(own, (own) => histograms(own, style))
      found.push(...titled(charts, run, stored))
    }
  }
  return found
}
