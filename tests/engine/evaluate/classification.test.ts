import { describe, expect, it } from 'vitest'
import { classification, topK } from '../../../engine/evaluate/index.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import type { ClassificationReport } from '../../../engine/records/report.ts'

/** The report on batches of rows of logits with their classes. */
function reportOn(...batches: [label: number, ...logits: number[]][][]): ClassificationReport {
  const collector = classification(['cat', 'dog', 'owl'])
  for (const rows of batches) {
    const logits = Float32Array.from(rows.flatMap(([, ...row]) => row))
    collector.add(logits, { target: Int32Array.from(rows, ([label]) => label) })
  }
  return collector.value() as ClassificationReport
}

describe('classification', () => {
  it('counts what each class was taken for, over all batches', () => {
    const report = reportOn(
      [
        [0, 2, 1, 0],
        [0, 0, 1, 2],
      ],
      [
        [1, 0, 3, 0],
        [0, 5, 1, 0],
      ],
    )
    expect(report).toMatchObject({
      kind: 'classification',
      classes: ['cat', 'dog', 'owl'],
      confusion: [
        [2, 0, 1],
        [0, 1, 0],
        [0, 0, 0],
      ],
      accuracy: [2 / 3, 1, null],
    })
  })

  it('keeps the mistakes that the model was surest of, by their place in the split', () => {
    const { wrong } = reportOn(
      [
        [0, 2, 1, 0],
        [0, 0, 1, 2],
      ],
      [
        [1, 9, 0, 0],
        [2, 0, 0, 0],
      ],
    )
    expect(wrong.map(({ index, label, predicted }) => [index, label, predicted])).toEqual([
      [2, 1, 0],
      [1, 0, 2],
      [3, 2, 0],
    ])
    expect(wrong.map(({ probability }) => probability.toFixed(3))).toEqual(['1.000', '0.665', '0.333'])
  })

  it('keeps twenty of them', () => {
    const { wrong } = reportOn(Array.from({ length: 60 }, (_, i) => [0, 0, (i % 50) / 10, 0]))
    expect(wrong).toHaveLength(20)
    expect(wrong[0]?.index).toBe(49)
    expect(wrong.every(({ probability }, i) => i === 0 || probability <= (wrong[i - 1]?.probability ?? 0))).toBe(true)
  })

  it('agrees with the accuracy on any logits, ties and what is not finite among them', () => {
    const values = [0, 1, 2, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const key = keyOf(1, 'logits')
    const target = Int32Array.from({ length: 300 }, (_, i) => integer(key, i, 3))
    const logits = Float32Array.from({ length: 900 }, (_, i) => values[integer(key, 1000 + i, values.length)] ?? 0)
    const [collector, accuracy] = [classification(['a', 'b', 'c']), topK('accuracy', 1)]
    for (const each of [collector, accuracy]) each.add(logits, { target })
    const { confusion } = collector.value() as ClassificationReport
    const right = confusion.reduce((sum, row, label) => sum + (row[label] ?? 0), 0)
    expect(right / 300).toBe(accuracy.value())
  })

  it('is the same after a passage through JSON, whatever the logits', () => {
    const report = reportOn([
      [0, Number.NaN, 1, 2],
      [1, Number.POSITIVE_INFINITY, 0, Number.NEGATIVE_INFINITY],
    ])
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })

  it('says nothing of an evaluation without examples', () => {
    expect(reportOn()).toMatchObject({ accuracy: [null, null, null], wrong: [] })
  })
})
