import type { Evaluator } from './types.ts'

const NONE = new Int32Array()

/**
 * The fraction of examples whose class is among the `k` largest logits. Ties count against the model; rows without weight,
 * where the batch has `weights`, do not count.
 */
export function topK(name: string, k: number): Evaluator {
  let correct = 0
  let examples = 0
  return {
    name,
    reads: ['target', 'weights'],
    meaning: { better: 'higher', unit: 'share', bounds: [0, 1], words: k === 1 ? 'accuracy' : `top-${k} accuracy` },
    add: (logits, { target = NONE, weights }) => {
      const classes = logits.length / target.length
      for (let i = 0; i < target.length; i++) {
        if (weights?.[i] === 0) continue
        examples += 1
        const own = logits[i * classes + (target[i] as number)] as number
        let ahead = 0
        for (let c = 0; c < classes; c++) {
          const other = logits[i * classes + c] as number
          if (c !== target[i] && !(other < own)) ahead += 1
        }
        if (ahead < k) correct += 1
      }
    },
    addJudged: ({ rank }, { weights }) => {
      for (let i = 0; i < rank.length; i++) {
        if (weights?.[i] === 0) continue
        examples += 1
        if ((rank[i] as number) < k) correct += 1
      }
    },
    value: () => correct / examples,
  }
}
