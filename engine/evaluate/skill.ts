import type { Evaluator } from './types.ts'

const NONE = new Float32Array()

/**
 * 1 less the mean squared error as a share of that of the naive forecast, which says the last value of each channel for all
 * steps: 0 is as good as that, below 0 is worse. `input` is `[batch, window, channels]`, `target` `[batch, horizon, channels]`.
 */
export function skill({ window, horizon, channels }: Record<'window' | 'horizon' | 'channels', number>): Evaluator {
  let own = 0
  let naive = 0
  return {
    name: 'skill',
    meaning: { better: 'higher', bounds: [null, 1], words: 'skill over the last value' },
    add: (prediction, { input = NONE, target = NONE }) => {
      for (let i = 0; i < target.length; i++) {
        const last = (Math.floor(i / (horizon * channels)) * window + window - 1) * channels + (i % channels)
        own += ((prediction[i] as number) - (target[i] as number)) ** 2
        naive += ((input[last] as number) - (target[i] as number)) ** 2
      }
    },
    value: () => 1 - own / naive,
  }
}
