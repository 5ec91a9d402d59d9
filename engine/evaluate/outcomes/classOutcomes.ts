import { predictedClass } from '../classification.ts'
import { softmax } from '../softmax.ts'
import type { OutcomeCollector } from './types.ts'

/** Outcomes of predictions `[examples, classes]` of `target`; the loss of an example is -log softmax(logits)[target]. */
export function classOutcomes(classes: readonly string[]): OutcomeCollector {
  const label: number[] = []
  const predicted: number[] = []
  const probability: number[] = []
  const truth: number[] = []
  return {
    reads: ['target'],
    add(logits, { target = new Int32Array() }) {
      for (const [i, own] of target.entries()) {
        const row = logits.subarray(i * classes.length, (i + 1) * classes.length)
        const best = predictedClass(row, own)
        const share = row.every(Number.isFinite) ? softmax(row) : () => Number.NaN
        label.push(own)
        predicted.push(best)
        probability.push(share(best))
        truth.push(share(own))
      }
    },
    value: () => ({
      kind: 'classes',
      tested: label.length,
      index: label.map((_, i) => i),
      lossName: 'cross entropy',
      loss: truth.map((value) => -Math.log(value)),
      right: label.map((value, i) => Number(predicted[i] === value)),
      classes: [...classes],
      ...{ label, predicted, probability, truth },
    }),
  }
}
