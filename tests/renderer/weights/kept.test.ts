import { expect, it } from 'vitest'
import { blockOf, blocksOf, keptAt, stepsOf, withSeen, wordsOf } from '../../../renderer/weights/kept.ts'

const kept = [
  { which: 0, step: 0 },
  { which: 40, step: 40 },
  { which: 'best', step: 70 },
  { which: 'last', step: 80 },
] as const

it('the slider goes over the steps of all runs, each of which shows its last weights until then', () => {
  expect(stepsOf([[...kept], [{ which: 'last', step: 60 }], []])).toEqual([0, 40, 60, 70, 80])
  expect(keptAt(kept, 60)).toEqual({ which: 40, step: 40 })
  expect(keptAt(kept, Number.POSITIVE_INFINITY)).toEqual({ which: 'last', step: 80 })
  expect(keptAt([{ which: 'last', step: 60 }], 40)).toEqual({ which: 'last', step: 60 })
  expect(keptAt([], 3)).toBeNull()
  expect([wordsOf(kept[1]), wordsOf(kept[2])]).toEqual(['step 40', 'step 70, best'])
})

it('weights that were seen in training stand beside those that the store has of other steps', () => {
  const seen = [
    { which: 'last', step: 60 },
    { which: 'best', step: 60 },
    { which: 'last', step: 80 },
    { which: 'last', step: 20 },
  ] as const
  expect(withSeen(kept, seen).map(({ which, step }) => `${step} ${which}`)).toEqual([
    ...['0 0', '20 last', '40 40', '60 last', '70 best', '80 last'],
  ])
})

it('the block of a tensor is the first number in its name', () => {
  expect(['blocks.12.heads.1.fc1.weight', 'head.weight', 'stem.0.weight', '3.w'].map(blockOf)).toEqual([12, null, 0, 3])
  expect(blocksOf(['blocks.10.a', 'blocks.2.a', 'head.weight', 'blocks.2.b'])).toEqual([2, 10])
})
