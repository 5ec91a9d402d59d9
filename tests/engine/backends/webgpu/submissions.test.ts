import { expect, it } from 'vitest'
import { createSubmissions } from '../../../../engine/backends/webgpu/submissions.ts'

const sizes = (submissions: ReturnType<typeof createSubmissions>, end = 20) => {
  const spans = submissions.below(end)
  expect(spans.map(({ from }) => from)).toEqual([0, ...spans.slice(0, -1).map(({ to }) => to)]) // none twice, none left out
  return spans.map(({ from, to }) => to - from)
}

it('begins with few dispatches each, and then takes all at once where that is quick', () => {
  const submissions = createSubmissions(20, 0)
  expect(sizes(submissions)).toEqual([8, 8, 4])
  submissions.took(900, 3) // shaders are compiled
  expect([submissions.isSettled(), sizes(submissions)]).toEqual([false, [8, 8, 4]])
  submissions.took(300, 3)
  expect([submissions.isSettled(), sizes(submissions), sizes(submissions, 9)]).toEqual([true, [20], [9]])
})

it('stays with few where all at once would be long, and halves those that are', () => {
  const submissions = createSubmissions(20, 0)
  for (const ms of [900, 900]) submissions.took(ms, 3)
  expect(sizes(submissions)).toEqual([8, 8, 4])
  for (const ms of [1500, 900, 1500]) submissions.took(ms, 3) // once may be something else
  expect(sizes(submissions)).toEqual([8, 8, 4])
  submissions.took(1500, 3)
  expect(sizes(submissions)).toEqual([4, 4, 4, 4, 4])
  for (let i = 0; i < 20; i++) submissions.took(1e6, 5)
  expect(sizes(submissions)).toEqual(Array(20).fill(1))
})

it('divides what has become slow', () => {
  const submissions = createSubmissions(20, 0)
  for (const ms of [9, 9, 500, 500]) submissions.took(ms, 1)
  expect(sizes(submissions)).toEqual([8, 8, 4])
})

it.each([
  [1, 2],
  [2, 1],
  [9, 1],
])('begins with fewer after %i losses of the card: %i', (losses, size) => {
  const submissions = createSubmissions(20, losses)
  expect(sizes(submissions)).toEqual(Array(20 / size).fill(size))
  for (const ms of [200, 200]) submissions.took(ms, 20 / size)
  expect(sizes(submissions)).toEqual(Array(20 / size).fill(size))
})
