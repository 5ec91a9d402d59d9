import type { Evaluator } from './types.ts'

const NONE = new Float32Array()

/** The mean over all predicted numbers of what `of` says of a difference. */
function meanError(name: string, words: string, of: (difference: number) => number): Evaluator {
  let sum = 0
  let count = 0
  return {
    name,
    meaning: { better: 'lower', bounds: [0, null], words },
    add: (prediction, { target = NONE }) => {
      for (let i = 0; i < prediction.length; i++) sum += of((prediction[i] as number) - (target[i] as number))
      count += prediction.length
    },
    value: () => sum / count,
  }
}

/** The mean squared error of all predicted numbers. */
export const meanSquared = () => meanError('mse', 'mean squared error', (difference) => difference ** 2)

/** The mean absolute error of all predicted numbers. */
export const meanAbsolute = () => meanError('mae', 'mean absolute error', Math.abs)
