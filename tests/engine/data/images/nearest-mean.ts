import type { ImageBatch } from '../../../../engine/data/types.ts'

/** How well the nearest of the class means of `features` predicts the test labels. */
export function nearestMean(
  features: (image: Float32Array) => number[],
  classes: number,
  train: ImageBatch,
  test: ImageBatch,
): number {
  const of = ({ pixels, labels }: ImageBatch, i: number) => {
    const length = pixels.length / labels.length
    return features(pixels.subarray(i * length, (i + 1) * length))
  }
  const sums = Array.from({ length: classes }, () => of(train, 0).fill(0))
  for (const [i, label] of train.labels.entries()) {
    for (const [j, value] of of(train, i).entries()) {
      const sum = sums[label]
      if (sum) sum[j] = (sum[j] ?? 0) + value / (train.labels.length / classes)
    }
  }
  const right = [...test.labels].filter((label, i) => {
    const feature = of(test, i)
    const distances = sums.map((mean) => mean.reduce((total, value, j) => total + (value - (feature[j] ?? 0)) ** 2, 0))
    return distances.indexOf(Math.min(...distances)) === label
  })
  return right.length / test.labels.length
}

/** Shares of the values in 16 bins. */
export function histogram(image: Float32Array): number[] {
  const counts = Array<number>(16).fill(0)
  for (const value of image) {
    const bin = Math.min(15, Math.floor(value * 16))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}
