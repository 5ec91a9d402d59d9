import { metric } from './metric.ts'

/**
 * Coefficient of determination: 1 less the squared errors over those of the mean of the target, all numbers of an
 * evaluation together; 1 is perfect, 0 what the mean would do.
 */
export const r2 = metric('r2', { better: 'higher', bounds: [Number.NEGATIVE_INFINITY, 1], words: 'R2' }, () => {
  let [count, mean, spread, errors] = [0, 0, 0, 0]
  return {
    add(prediction, { target = new Float32Array() }) {
      for (const [i, value] of target.entries()) {
        count += 1
        const off = value - mean
        mean += off / count // Welford 1962
        spread += off * (value - mean)
        errors += (value - (prediction[i] as number)) ** 2
      }
    },
    value: () => 1 - errors / spread,
  }
})
