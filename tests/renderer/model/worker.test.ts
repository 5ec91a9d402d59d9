import { afterEach, expect, it, vi } from 'vitest'
import { askModeller } from '../../../renderer/model/worker.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('ends a worker that measures for too long, says what took so long, and starts another one for the next question', async () => {
  vi.useFakeTimers()
  const made: { ended: boolean }[] = []
  class Silent {
    ended = false
    constructor() {
      made.push(this)
    }
    postMessage() {}
    addEventListener() {}
    terminate() {
      this.ended = true
    }
  }
  vi.stubGlobal('Worker', Silent)
  const measured = { at: { tokens: 4, width: 4, depth: 1 }, axis: 'tokens', batch: 1, budget: 1 } as const
  const asked = askModeller((modeller) => modeller.stepTimes(measured, {} as never), 'a step of one of these models')
  const next = askModeller((modeller) => modeller.ofRun({} as never))
  const said = expect(asked).rejects.toThrow('a step of one of these models ran for over 30 s and was ended')
  await vi.advanceTimersByTimeAsync(30_000)
  await said
  const after = expect(next).rejects.toThrow('its code ran for over 30 s and was ended')
  await vi.advanceTimersByTimeAsync(30_000)
  await after
  expect(made).toMatchObject([{ ended: true }, { ended: true }])
})
