import type { WrongExample } from '../records/report.ts'
import { softmax } from './softmax.ts'
import type { ReportCollector } from './types.ts'

/** Wrong examples that are kept. */
const MAX_WRONG_EXAMPLES = 20

/** Reports the confusion matrix of predictions `[examples, classes]` of `target`, and the worst mistakes. Ties count against the model, as in its accuracy. */
export function classification(classes: readonly string[]): ReportCollector {
  const confusion = classes.map(() => classes.map(() => 0))
  let wrong: WrongExample[] = []
  let examples = 0
  return {
    reads: ['target'],
    add(logits, { target = new Int32Array() }) {
      const mistakes: WrongExample[] = []
      for (const [i, label] of target.entries()) {
        const row = logits.subarray(i * classes.length, (i + 1) * classes.length)
        const predicted = predictedClass(row, label)
        const counts = confusion[label] as number[]
        counts[predicted] = (counts[predicted] as number) + 1
        if (predicted === label) continue
        mistakes.push({ index: examples + i, label, predicted, probability: softmax(row)(predicted) })
      }
      examples += target.length
      wrong = [...wrong, ...mistakes]
        .sort((a, b) => b.probability - a.probability || a.index - b.index)
        .slice(0, MAX_WRONG_EXAMPLES)
    },
    value: () => ({
      kind: 'classification',
      classes: [...classes],
      confusion,
      accuracy: confusion.map((counts, label) => {
        const all = counts.reduce((sum, count) => sum + count, 0)
        return all === 0 ? null : (counts[label] as number) / all
      }),
      wrong,
    }),
  }
}

/** `label` where its logit is above all others, else the class of the largest other one. */
export function predictedClass(row: Float32Array, label: number): number {
  const own = row[label] as number
  let found = label
  for (const [c, value] of row.entries()) {
    if (c === label || value < own) continue
    if (found === label || value > (row[found] as number)) found = c
  }
  return found
}
