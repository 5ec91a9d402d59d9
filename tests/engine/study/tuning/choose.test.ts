import { describe, expect, it } from 'vitest'
import { adamw, tuned } from '../../../../engine/index.ts'
import { keyOf, normal } from '../../../../engine/random.ts'
import type { StoredRun } from '../../../../engine/records/run.ts'
import { choose } from '../../../../engine/study/tuning/choose.ts'
import { keptPlaces } from '../../../../engine/study/tuning/kept.ts'
import { tunedText } from '../../../../engine/study/tuning/words.ts'

const metric = 'validation/accuracy'
const tune = tuned({ lr: [0.1, 0.2, 0.3] }, ({ lr }) => ({ train: { optimizer: adamw({ learningRate: lr }) } }), {
  seeds: 2,
})

/** What is chosen for a variant whose runs have such values by seed; null for a run that is not done. */
function chosen(values: (number | null)[][], better: 'higher' | 'lower' = 'higher', last?: number) {
  const all = values.flatMap((seeds, place) =>
    seeds.map((value, i) => ({
      ...{ variant: `gmlp, lr=0.${place + 1}`, seed: 1001 + i, key: `${place} ${i}`, value },
    })),
  )
  const done = all.flatMap(({ key, value }) => {
    if (value === null) return []
    const test = { last: -value, best: -value, meaning: { better } }
    return [
      { key, metrics: { [metric]: { last: last ?? value, best: value, meaning: { better } }, 'test/accuracy': test } },
    ]
  })
  const runs = { study: 's', variants: ['gmlp'], metric, runs: all, done: done as unknown as StoredRun[] }
  return choose(runs, tune)
}

describe('choose', () => {
  it('takes the value with the best mean on validation, whatever the test says', () => {
    const design = chosen([
      [0.5, 0.7],
      [0.7, 0.75],
      [0.9, 0.2],
    ])
    expect(design).toMatchObject({ study: 's, tuning', metric, seeds: [1001, 1002], runs: 6 })
    expect(design.values).toEqual([{ lr: 0.1 }, { lr: 0.2 }, { lr: 0.3 }])
    expect(design.variants).toMatchObject([{ variant: 'gmlp', chosen: 1, means: [0.6, 0.725, 0.55] }])
  })

  it('takes the smallest where lower is better', () => {
    expect(
      chosen(
        [
          [3, 3],
          [1, 2],
          [2, 2],
        ],
        'lower',
      ).variants[0]?.chosen,
    ).toBe(1)
  })

  it('takes the first of equal ones', () => {
    expect(
      chosen([
        [0.5, 0.5],
        [0.6, 0.4],
        [0.4, 0.6],
      ]).variants[0]?.chosen,
    ).toBe(0)
    expect(
      chosen([
        [0.1, 0.1],
        [0.6, 0.4],
        [0.4, 0.6],
      ]).variants[0]?.chosen,
    ).toBe(1)
  })

  it('puts a value last of which a run failed or diverged, and takes the first where all did', () => {
    expect(
      chosen([
        [0.9, null],
        [0.2, 0.1],
        [0.2, 0.2],
      ]).variants[0],
    ).toMatchObject({ chosen: 2, means: [null, expect.any(Number), 0.2] })
    expect(
      chosen(
        [
          [9, null],
          [null, null],
          [3, 3],
        ],
        'lower',
      ).variants[0]?.chosen,
    ).toBe(2)
    expect(
      chosen(
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
        'lower',
        Number.NaN,
      ).variants[0],
    ).toEqual({ variant: 'gmlp', chosen: 0, means: [null, null, null] })
  })

  it('keeps all values that its seeds cannot tell from the best, and says with what they are trained', () => {
    const close = chosen([
      [0.5, 0.51],
      [0.8, 0.81],
      [0.8, 0.8],
    ])
    const kept = [1, 2].map((value) => ({ value, variant: `gmlp, lr=0.${value + 1}` }))
    expect(close.variants).toMatchObject([{ chosen: 1, kept }])
    expect(tunedText({ tuned: close }, ['gmlp'])[0]).toBe(
      'gmlp at lr 0.2 or lr 0.3, all that cannot be told from the best of 0.1, 0.2, 0.3 on validation with seeds 1001 and 1002',
    )
    const clear = chosen([
      [0.5, 0.51],
      [0.8, 0.81],
      [0.6, 0.61],
    ])
    expect(clear.variants[0]).toEqual({ variant: 'gmlp', chosen: 1, means: [0.505, 0.805, 0.605] })
  })

  it('excludes nothing by one seed but what diverged', () => {
    expect(keptPlaces([[[0.1], [0.9], [Number.NaN]]])).toEqual([[0, 1]])
    expect(keptPlaces([[[Number.NaN], [Number.NaN]]])).toEqual([[]])
  })

  it('keeps the best value of a variant in at least 97.5% of simulated tunings', () => {
    const tunings = 400
    const lost = Array.from({ length: tunings }, (_, tuning) => {
      const key = keyOf(tuning, 'kept')
      const values = [0, 1].map((variant) =>
        [0, 1, 2, 3].map((place) => [0, 1].map((seed) => normal(key, (variant * 4 + place) * 2 + seed))),
      )
      return !keptPlaces(values)[0]?.includes(0) // all are equally good
    })
    expect(lost.filter(Boolean).length / tunings).toBeLessThan(0.025 + 3 * Math.sqrt((0.025 * 0.975) / tunings))
  })
})
