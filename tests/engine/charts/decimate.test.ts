import { describe, expect, it } from 'vitest'
import { decimate } from '../../../engine/charts/decimate.ts'

const long = {
  steps: Array.from({ length: 10_000 }, (_, i) => i),
  values: Array.from({ length: 10_000 }, (_, i) => (i === 4321 ? 99 : i === 777 ? -99 : Math.sin(i))),
}

describe('decimate', () => {
  it('leaves short lines as they are', () => {
    const line = { steps: [1, 2, 3], values: [3, 2, 1] }
    expect(decimate(line, 3)).toBe(line)
  })

  it('keeps extremes, ends and order within the limit', () => {
    const { steps, values } = decimate(long, 200)
    expect(steps.length).toBeLessThanOrEqual(202)
    expect(values).toContain(99)
    expect(values).toContain(-99)
    expect([steps[0], steps.at(-1)]).toEqual([0, 9999])
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
  })
})
