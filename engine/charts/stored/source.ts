import type { Host } from '../../host.ts'
import type { AttentionMap } from '../../nn/attentionMaps.ts'
import type { StudyDesign } from '../../records/design.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import type { StoredRun } from '../../records/run.ts'
import type { MetricChartOptions, Panel } from '../figure/chart.ts'

/** What charts of stored runs read of a host. */
export type ChartHost = Pick<
  Host,
  'readSeries' | 'readBands' | 'readReport' | 'readWeights' | 'readHistograms' | 'readNorms' | 'showRuns'
>

/** A chart that is made of stored runs by its name; without panels where these have nothing of the kind. */
export interface NamedChart {
  words: string
  panels(stored: StoredRuns): Promise<Panel[]> | Panel[]
  /** Whether it shows layers, which can be chosen. */
  layered?: true
}

/** Layers, and what asked for them, for errors: `--layers`. */
export interface AskedLayers {
  names: readonly string[]
  option: string
}

/** Complete runs of a study, or one of them, and what is compared. */
export interface StoredRuns {
  host: ChartHost
  study: string
  runs: StoredRun[]
  /** In their order. */
  variants: string[]
  baseline: string
  metric: string
  meanings: Record<string, MetricMeaning>
  design: StudyDesign | null
  /** What a run attends to in a validation example, its model made again; where nobody does that, there is no such chart. */
  attention?: ((run: number) => Promise<AttentionMap[]>) | undefined
  /** The layers that are looked into, by their names or the start of these; all if left out. */
  layers?: AskedLayers | undefined
}

/** The metric of a chart, with what it means. */
export function metricOf({ metric, meanings }: StoredRuns): MetricChartOptions {
  return { metric, meaning: meanings[metric] }
}

/** The last value of the metric of each run. */
export function resultsOf({ runs, metric }: StoredRuns) {
  return runs.map((run) => ({
    variant: run.variant,
    seed: run.seed,
    run: run.id,
    value: run.metrics[metric]?.last ?? Number.NaN,
  }))
}

/** The first run of each variant. */
export function onePerVariant({ runs, variants }: StoredRuns): StoredRun[] {
  return variants.flatMap((variant) => runs.find((run) => run.variant === variant) ?? [])
}
