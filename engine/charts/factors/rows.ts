import type { FactorValues } from '../../records/design.ts'
import type { Factor } from '../../study/design/crossing.ts'
import type { MetricChartOptions } from '../figure/chart.ts'

/** A run of a study that is crossed by factors. */
export interface FactorRow {
  /** Of each factor. */
  levels: FactorValues
  seed: number
  /** Id in the store; null where it is not known. */
  run: number | null
  /** Null where the run is not complete, failed, or has no such metric. */
  value: number | null
}

/** What the charts of factors have in common. */
export interface FactorChartOptions extends MetricChartOptions {
  /** All factors of the study; a chart averages over the factors that it does not show. */
  factors: readonly Factor[]
  /** Variants that have no such factors. */
  others?: readonly string[]
}

/** The factor of a name; without levels where there is none. */
export function factorOf(factors: readonly Factor[], name: string): Factor {
  return factors.find((factor) => factor.name === name) ?? { name, levels: [] }
}
