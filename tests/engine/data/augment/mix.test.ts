import { describe, expect, it } from 'vitest'
import { drawsOf } from '../../../../engine/data/augment/draws.ts'
import { drawBox, mix, mixup } from '../../../../engine/data/augment/mix.ts'
import { softTargets } from '../../../../engine/data/augment/targets.ts'
import { yes } from './pictures.ts'

const shape = { height: 8, width: 10, channels: 2 }
const length = 8 * 10 * 2
/** Example i has the value i / 8 everywhere. */
const batch = (count: number) => Float32Array.from({ length: count * length }, (_, at) => Math.floor(at / length) / 8)
const both = { mixup: 0.8, cutmix: 1, mixupProb: 1, mixupSwitchProb: 0.5 }
const streams = Array.from({ length: 200 }, (_, i) => `stream/${i}`)

describe('mixup', () => {
  it('takes the partner from the reversed batch', () => {
    const mixed = mixup(batch(4), 4, 0.75)
    const values = [0, 1, 2, 3].map((i) => mixed[i * length])
    expect(values).toEqual([0.75 * 0 + 0.25 * 3, 0.75 * 1 + 0.25 * 2, 0.75 * 2 + 0.25 * 1, 0.75 * 3].map((v) => v / 8))
  })
  it('mixes the middle of an odd batch with itself', () => {
    expect(mixup(batch(3), 3, 0.3)[length]).toBeCloseTo(1 / 8, 6)
  })
})

describe('cutmix', () => {
  it('has a box of the share 1 - weight where it is not clipped', () => {
    const centred = { ...drawsOf(1, ''), below: (count: number) => count / 2 }
    expect(drawBox({ height: 16, width: 32 }, 0.75, centred)).toEqual({ top: 4, bottom: 12, left: 8, right: 24 })
    expect(drawBox({ height: 16, width: 32 }, 1, centred)).toMatchObject({ top: 8, bottom: 8 })
    expect(drawBox({ height: 16, width: 32 }, 0, { ...centred, below: () => 0 })).toEqual({
      top: 0,
      bottom: 8,
      left: 0,
      right: 16,
    })
  })
  it('gives the weight that the box leaves, over the whole batch', () => {
    for (const stream of streams) {
      const { pixels, weight } = mix(batch(4), shape, { ...both, mixup: 0 }, drawsOf(1, stream))
      for (let i = 0; i < 4; i++) {
        const own = pixels.subarray(i * length, (i + 1) * length).filter((value) => value === i / 8).length
        expect(own / length).toBeCloseTo(weight, 6)
      }
    }
  })
})

describe('mix', () => {
  it('switches between the two', () => {
    const cut = streams.filter((stream) => {
      const { pixels } = mix(batch(2), shape, both, drawsOf(1, stream))
      return pixels.every((value) => value === 0 || value === 1 / 8)
    })
    expect(cut.length).toBeGreaterThan(70)
    expect(cut.length).toBeLessThan(130)
  })
  it('does nothing without an alpha, or at probability 0', () => {
    const pixels = batch(2)
    expect(mix(pixels, shape, { ...both, mixup: 0, cutmix: 0 }, yes())).toEqual({ pixels, weight: 1 })
    expect(mix(pixels, shape, { ...both, mixupProb: 0 }, yes())).toEqual({ pixels, weight: 1 })
  })
})

describe('soft targets', () => {
  it('are smoothed first and mixed then, as in timm', () => {
    const targets = softTargets(Int32Array.of(1, 3), 4, 0.1, 0.75)
    const [off, on] = [0.025, 0.925]
    const wanted = [off, 0.75 * on + 0.25 * off, off, 0.25 * on + 0.75 * off]
    for (const [i, value] of wanted.entries()) expect(targets[i]).toBeCloseTo(value, 6)
  })
  it('add up to 1', () => {
    for (const [smoothing, weight] of [
      [0, 1],
      [0.1, 1],
      [0, 0.3],
      [0.3, 0.6],
    ] as const) {
      const targets = softTargets(Int32Array.of(0, 6, 6, 2, 5), 7, smoothing, weight)
      for (let i = 0; i < 5; i++) {
        const row = targets.subarray(i * 7, (i + 1) * 7)
        expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5)
      }
    }
  })
})
