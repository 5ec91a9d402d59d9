import type { Line } from '../../engine/study/align.ts'
import type { RunView } from '../protocol/study.ts'

/** The value of a read-out of the end as a line of one point; null for a metric that has a curve, or is not there. */
export function endLine({ metrics }: Pick<RunView, 'metrics'>, metric: string): Line | null {
  const summary = metrics[metric]
  return summary?.meaning?.readout ? { steps: [summary.lastStep], values: [summary.last] } : null
}
