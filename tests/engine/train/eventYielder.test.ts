import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventYielder } from '../../../engine/train/eventYielder.ts'

let now = 0
beforeEach(() => {
  now = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => vi.restoreAllMocks())

/** Whether a timer that waits gets in while `pause` is awaited. */
async function letsIn(pause: () => Promise<void>): Promise<boolean> {
  let in_ = false
  const timer = setTimeout(() => {
    in_ = true
  }, 0)
  await pause()
  clearTimeout(timer)
  return in_
}

describe('a pause', () => {
  it('lets waiting events in once the thread was held for 40 ms', async () => {
    const pause = eventYielder()
    now += 39
    expect(await letsIn(pause)).toBe(false)
    now += 1
    expect(await letsIn(pause)).toBe(true)
  })

  it('counts from the end of the last one', async () => {
    const pause = eventYielder()
    now += 50
    expect(await letsIn(pause)).toBe(true)
    expect(await letsIn(pause)).toBe(false)
    now += 39
    expect(await letsIn(pause)).toBe(false)
    now += 1
    expect(await letsIn(pause)).toBe(true)
  })
})
