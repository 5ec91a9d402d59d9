import { describe, expect, it } from 'vitest'
import { adamw, compare, gmlp, image, shapes, tuned, weights } from '../../../../engine/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { everyRun, studyWith, tuningStudy } from '../../../../engine/study/tuning/grid.ts'
import type { TriedValue } from '../../../../engine/study/tuning/tune.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const optimizer = (learningRate: number) => ({ train: { optimizer: adamw({ learningRate }) } })
const rates = { lr: [0.001, 0.003] }
const task = image({ data: shapes({ train: 16, test: 8 }) })
const common = { task, model: { patch: 16, dim: 8, depth: 1 }, train: { steps: 2, batch: 8 }, variants: { gmlp } }

describe('tuned', () => {
  it('has every combination of the values by name, and seeds after all that a study counts', () => {
    const { tried, seeds } = tuned({ lr: [0.1, 0.2], steps: [5, 6] }, ({ lr, steps }) => ({
      train: { steps, ...optimizer(lr).train },
    }))
    expect(tried.map(({ name }) => name)).toEqual([
      'lr=0.1 steps=5',
      'lr=0.1 steps=6',
      'lr=0.2 steps=5',
      'lr=0.2 steps=6',
    ])
    expect(tried[1]?.values).toEqual({ lr: 0.1, steps: 6 })
    expect(seeds).toEqual([1001, 1002, 1003])
    expect(tuned(rates, ({ lr }) => optimizer(lr), { seeds: [7] }).seeds).toEqual([7])
  })

  it.each<[string, () => unknown, string]>([
    [
      'one value',
      () => tuned({ lr: [0.1] }, ({ lr }) => optimizer(lr)),
      'tuned: one value, expected at least two to choose from',
    ],
    ['no value', () => tuned({ lr: [] }, () => ({})), 'tuned.lr: empty, expected at least one value'],
    [
      'an unknown value',
      () => tuned(rates, (values) => optimizer((values as unknown as { rate: number }).rate)),
      "tuned: unknown value 'rate' (known: lr)",
    ],
    ['a part of another kind', () => tuned(rates, () => gmlp as never), "tuned(lr=0.001): unknown option 'block'"],
    ['no function', () => tuned(rates, { train: {} } as never), 'tuned: expected a function as second argument'],
    [
      'an unknown option',
      () => tuned(rates, ({ lr }) => optimizer(lr), { seed: 3 } as never),
      "tuned: unknown option 'seed'",
    ],
    [
      'a start',
      () =>
        compare('s', {
          ...common,
          from: weights({ path: 'a.safetensors' }),
          tune: tuned(rates, ({ lr }) => optimizer(lr)),
        }),
      "s.tune: what is tuned starts from nothing; leave out 'from'",
    ],
    [
      'values without tuned',
      () => compare('s', { ...common, tune: rates as never }),
      's.tune: {"lr":[0.001,0.003]}, expected values to choose from',
    ],
  ])('refuses %s in one sentence', (_, make, message) => {
    expect(make).toThrow(message)
  })
})

describe('the studies of a tuned one', () => {
  const tune = tuned(rates, ({ lr }) => optimizer(lr), { seeds: 1 })
  const study = compare('s', { ...common, seeds: 2, tune })
  const keysOf = async (one: Study) => (await openStudy(one, {}, memoryFiles({}))).planned.map(({ key }) => key)

  it('have the runs that the same values have where they are written', async () => {
    const { tried } = tune
    const written = (lr: number, seeds: number[]) =>
      compare('w', { ...common, ...{ seeds }, train: { ...common.train, ...optimizer(lr).train } })
    const report = await keysOf(studyWith(study, () => tried[1] as TriedValue))
    expect(report).toEqual(await keysOf(written(0.003, [1, 2])))
    const tuning = await keysOf(tuningStudy(study, tune))
    expect(tuning).toEqual([...(await keysOf(written(0.001, [1001]))), ...(await keysOf(written(0.003, [1001])))])
    const { study: all, options } = everyRun(study, { only: ['gmlp'] })
    const every = (await openStudy(all, options, memoryFiles({}))).planned.map(({ key }) => key)
    expect([...report, ...tuning].filter((key) => !every.includes(key))).toEqual([])
  })

  it('are not to be opened before that is trained', async () => {
    await expect(keysOf(study)).rejects.toThrow('s.tune: its values are chosen when it is trained')
  })
})
