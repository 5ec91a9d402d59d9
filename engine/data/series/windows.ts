import { checkIndices } from '../indices.ts'
import type { SeriesBatch, SeriesDataset, Split } from '../types.ts'

/** Parts of series: `window` steps, `[count, window, channels]`, and the `horizon` steps after them. */
export interface WindowBatch {
  before: Float32Array
  after: Float32Array
}

/** All windows of the series of a split, from the first step of each on. */
export function windowsOf(
  split: Split<SeriesBatch>,
  { steps, channels }: Pick<SeriesDataset, 'steps' | 'channels'>,
  { window, horizon }: { window: number; horizon: number },
): Split<WindowBatch> {
  const each = steps - window - horizon + 1
  const size = split.size * each
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, size)
    const { series } = await split.read(Array.from(indices, (index) => Math.floor(index / each)))
    const before = new Float32Array(indices.length * window * channels)
    const after = new Float32Array(indices.length * horizon * channels)
    for (let i = 0; i < indices.length; i++) {
      const start = (i * steps + ((indices[i] as number) % each)) * channels
      const middle = start + window * channels
      before.set(series.subarray(start, middle), i * window * channels)
      after.set(series.subarray(middle, middle + horizon * channels), i * horizon * channels)
    }
    return { before, after }
  }
  const groupOf = (index: number) => Math.floor(index / each)
  const { planted } = split
  return { size, read, groupOf, planted: planted && ((index) => planted(groupOf(index))) }
}
