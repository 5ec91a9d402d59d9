import type { Evaluator } from './types.ts'

const NONE = new Int32Array()

/**
 * The mean over the classes of intersection over union: of all places of an evaluation, those that are of a class and are
 * taken for it, as a share of those of which either holds. Classes that are neither there nor taken for one do not count.
 */
export function meanIou(classes: number): Evaluator {
  const [both, there, taken] = [0, 1, 2].map(() => new Float64Array(classes)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const add = (counts: Float64Array, at: number) => {
    counts[at] = (counts[at] as number) + 1
  }
  return {
    name: 'iou',
    meaning: { better: 'higher', unit: 'share', bounds: [0, 1], words: 'mean intersection over union' },
    add: (logits, { target = NONE }) => {
      for (let i = 0; i < target.length; i++) {
        let best = 0
        for (let c = 1; c < classes; c++) {
          if ((logits[i * classes + c] as number) > (logits[i * classes + best] as number)) best = c
        }
        add(there, target[i] as number)
        add(taken, best)
        if (best === target[i]) add(both, best)
      }
    },
    value: () => {
      const shares = Array.from(both, (count, c) => count / ((there[c] as number) + (taken[c] as number) - count))
      const seen = shares.filter((share) => !Number.isNaN(share))
      return seen.reduce((sum, share) => sum + share, 0) / seen.length
    },
  }
}
