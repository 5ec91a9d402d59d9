import type { OutcomeCollector } from './types.ts'

const NONE = new Float32Array()

/** Outcomes of predictions of `size` numbers for each example; the loss of one is its mean squared error. */
export function numberOutcomes(size: number): OutcomeCollector {
  const loss: number[] = []
  const said: number[] = []
  const wanted: number[] = []
  return {
    add(prediction, { target = NONE }) {
      for (let from = 0; from < prediction.length; from += size) {
        let sum = 0
        for (let i = from; i < from + size; i++) sum += ((prediction[i] as number) - (target[i] as number)) ** 2
        loss.push(sum / size)
        if (size > 1) continue
        said.push(prediction[from] as number)
        wanted.push(target[from] as number)
      }
    },
    value: () => ({
      kind: 'numbers',
      tested: loss.length,
      index: loss.map((_, i) => i),
      lossName: 'squared error',
      loss,
      ...(size === 1 && { prediction: said, target: wanted }),
    }),
  }
}
