import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { batch } from '../../../renderer/kernel/batch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('hands items on together, in order, once per interval', () => {
  const sent: number[][] = []
  const { add } = batch<number>(100, (items) => sent.push(items))
  add(1)
  add(2)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(100)
  add(3)
  vi.advanceTimersByTime(100)
  expect(sent).toEqual([[1, 2], [3]])
})

it('hands on at once when flushed, and nothing twice', () => {
  const sent: number[][] = []
  const { add, flush } = batch<number>(100, (items) => sent.push(items))
  add(1)
  flush()
  flush()
  vi.advanceTimersByTime(200)
  expect(sent).toEqual([[1]])
})

it('hands on in a loop that never waits', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60))
  const sent: number[][] = []
  const { add } = batch<number>(100, (items) => sent.push(items))
  for (let i = 0; i < 5; i++) add(i)
  expect(sent).toEqual([[0, 1, 2]])
  clock.mockRestore()
})
