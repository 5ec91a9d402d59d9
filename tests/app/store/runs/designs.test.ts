import { expect, it } from 'vitest'
import { designOf } from '../../../designs.ts'
import { begun, freshFolder, sampleRun, storeAt } from '../samples.ts'

it('keeps each design once, and finds those of a run, the one planned last first', () => {
  const store = storeAt(freshFolder())
  const [one, two] = [
    designOf('s', [{ variant: 'a', seed: 1, key: 'k' }]),
    designOf('t', [
      { variant: 'b', seed: 1, key: 'k' },
      { variant: 'c', seed: 1, key: 'l' },
    ]),
  ]
  for (const design of [one, two, one]) store.recordDesign(design)
  expect(store.designsOf(['k', 'x'])).toHaveLength(2)
  expect(store.designsOf(['l'])).toEqual([two])
  expect(store.designsOf(['x'])).toEqual([])
  store.close()
})

it('keeps the order of variants whose names JavaScript would sort, and so the baseline', () => {
  const store = storeAt(freshFolder())
  const design = designOf(
    's',
    ['64', 'none', '4', '__proto__', 'constructor'].map((variant) => ({ variant, seed: 1, key: `k ${variant}` })),
  )
  store.recordDesign(design)
  expect(store.designsOf(['k 4'])).toEqual([design])
  store.close()
})

it('gives the runs of a study the names that it has for them now, in all lists, and only those', () => {
  const store = storeAt(freshFolder())
  const { key, study, variant } = sampleRun()
  const id = begun(store.beginRun(sampleRun()))
  const named = () => store.listRuns()[0]?.variant
  store.recordDesign(designOf('another', [{ variant: 'x', seed: 1, key }]))
  expect(named()).toBe(variant)
  store.recordDesign(
    designOf(study, [
      { variant: 'x', seed: 1, key },
      { variant: 'y', seed: 1, key },
    ]),
  )
  expect(named()).toBe('x')
  expect(store.groupRuns({ filter: '', sort: [], columns: [], offset: 0, limit: 9 }).rows).toMatchObject([
    { study, variant: 'x', runs: [id] },
  ])
  store.recordDesign(
    designOf(study, [
      { variant: 'y', seed: 1, key },
      { variant: 'x', seed: 1, key },
    ]),
  )
  expect(named()).toBe('x')
  store.close()
})
