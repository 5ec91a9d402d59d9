import { negativeLogLikelihood } from '../perplexity.ts'
import type { OutcomeCollector } from './types.ts'

const NONE = new Int32Array()

interface Places {
  /** Places of an example that are asked for. */
  places: number
  /** What a place is called, e.g. `tokens`. */
  unit: string
}

/**
 * Outcomes of predictions `[examples, places, choices]` of a `target` for each place; those without weight, where the batch
 * has `weights`, do not count. The loss of an example is the mean over its places.
 */
export function placeOutcomes({ places, unit }: Places): OutcomeCollector {
  const loss: number[] = []
  const right: number[] = []
  return {
    add(logits, { target = NONE, weights }) {
      const choices = logits.length / target.length
      for (let from = 0; from < target.length; from += places) {
        let [sum, hits, count] = [0, 0, 0]
        for (let place = from; place < from + places; place++) {
          if (weights?.[place] === 0) continue
          const own = target[place] as number
          const row = logits.subarray(place * choices, (place + 1) * choices)
          const value = row[own] as number
          sum += negativeLogLikelihood(row, own)
          hits += Number(row.every((other, choice) => choice === own || other < value))
          count += 1
        }
        loss.push(sum / count)
        right.push(hits / count)
      }
    },
    value: () => ({
      kind: 'places',
      tested: loss.length,
      index: loss.map((_, i) => i),
      lossName: 'cross entropy',
      ...{ unit, loss, right },
    }),
  }
}
