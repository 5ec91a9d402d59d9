import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HEARTBEAT_MS, HEARTBEAT_TIMEOUT_MS, watchHeartbeat } from '../../../../renderer/session/kernel/heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A kernel that answers when it is told to, and what the page has heard of it. */
function listening() {
  const answers: (() => void)[] = []
  const said: (string | number)[] = []
  const ask = () => new Promise<string>((resolve) => answers.push(() => resolve('alive')))
  const stop = watchHeartbeat(ask, { heard: (answer) => said.push(answer), silent: (ms) => said.push(ms) })
  return { answers, said, stop }
}

it('asks again once it has an answer, and never twice at a time', async () => {
  const { answers, said, stop } = listening()
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(answers).toHaveLength(1)
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS)
  expect(answers).toHaveLength(2)
  expect(said).toEqual(['alive'])
  stop()
})

it('tells of a silence, how long it lasts, and when it ends', async () => {
  const { answers, said, stop } = listening()
  await vi.advanceTimersByTimeAsync(HEARTBEAT_TIMEOUT_MS)
  expect(said).toEqual([])
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
  expect(said).toEqual([HEARTBEAT_TIMEOUT_MS, HEARTBEAT_TIMEOUT_MS + HEARTBEAT_MS])
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(said.slice(2)).toEqual([0, 'alive'])
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  answers[1]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(said.slice(4)).toEqual(['alive'])
  stop()
})

it('asks no more once it is stopped', async () => {
  const { answers, said, stop } = listening()
  stop()
  await vi.advanceTimersByTimeAsync(10 * HEARTBEAT_TIMEOUT_MS)
  expect([answers, said]).toEqual([[], []])
})
