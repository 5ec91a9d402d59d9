import { sequentialBatches } from '../dataLoader.ts'
import type { SeriesDataset } from '../types.ts'

/** Of each channel the mean and the standard deviation of the training series. */
export interface Scale {
  mean: number[]
  deviation: number[]
}

/** The scale of a data set; a channel that never changes has deviation 1. */
export async function scaleOf({ train, channels }: Pick<SeriesDataset, 'train' | 'channels'>): Promise<Scale> {
  const [sums, squares] = [new Float64Array(channels), new Float64Array(channels)]
  let count = 0
  for await (const { series } of sequentialBatches(train, 64)) {
    for (let i = 0; i < series.length; i++) {
      const value = series[i] as number
      sums[i % channels] = (sums[i % channels] as number) + value
      squares[i % channels] = (squares[i % channels] as number) + value * value
    }
    count += series.length / channels
  }
  const mean = Array.from(sums, (sum) => sum / count)
  const deviation = mean.map((each, c) => Math.sqrt(Math.max(0, (squares[c] as number) / count - each * each)))
  return { mean, deviation: deviation.map((each) => (each > 1e-6 ? each : 1)) }
}

/** Values `[..., channels]`, less the mean, divided by the deviation. */
export function scaled(values: Float32Array, { mean, deviation }: Scale): Float32Array {
  const channels = mean.length
  return values.map((value, i) => (value - (mean[i % channels] as number)) / (deviation[i % channels] as number))
}
