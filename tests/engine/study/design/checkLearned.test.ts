import { expect, it } from 'vitest'
import { chanceIn, checkMetricValues } from '../../../../engine/study/design/checkMargin.ts'
import { ACCURACY } from '../../../meanings.ts'

type Checked = Parameters<typeof checkMetricValues>

const study = (learned: number) => ({ name: 's', spec: { learned } }) as unknown as Checked[0]
const opened = (meaning: object, classes = 10) =>
  ({
    opened: { evaluators: () => [{ name: 'accuracy', meaning }], classes: Array.from({ length: classes }, String) },
  }) as unknown as Checked[2][0]

it('is a value of the compared metric, which says which way is better', () => {
  const check = (learned: number, meaning: object) =>
    checkMetricValues(study(learned), 'test/accuracy', [opened(meaning)])
  expect(() => check(0.8, ACCURACY)).not.toThrow()
  expect(() => check(80, ACCURACY)).toThrow('s.learned: 80, expected a value of test/accuracy, from 0 to 1')
  expect(() => check(0.8, {})).toThrow(/s\.learned: test\/accuracy does not say which way is better/)
})

it('has a chance where all variants have as many classes', () => {
  const of = (...classes: number[]) =>
    chanceIn(
      study(0.8),
      'test/accuracy',
      classes.map((count) => opened(ACCURACY, count)),
    )
  expect([of(10, 10), of(10, 5)]).toEqual([0.1, null])
})
