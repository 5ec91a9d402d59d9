import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { StudyDesign } from '../../../../engine/records/design.ts'
import { levelAt } from '../../../../engine/study/ledger/comparisons.ts'
import { freshFolder, storeAt } from '../samples.ts'

const SEEDS = [1, 2, 3, 4, 5, 6]

/** A study of networks by name, the first the baseline; `how` is in the keys of its runs and in no network. */
function studyOf(networks: string[], { how = '', seeds = SEEDS, on = 'data', metric = 'm' } = {}): StudyDesign {
  const variants = networks.map((network) => ({
    ...{ variant: network, settings: {}, intended: [] as string[] },
    arm: { network, on },
  }))
  const runs = seeds.flatMap((seed) =>
    networks.map((variant) => ({ variant, seed, key: `${variant} ${how} ${on} ${seed}` })),
  )
  return { study: `s ${networks.join(' ')} ${how}`, metric, variants, runs }
}

const placesOf = (store: ReturnType<typeof storeAt>, design: StudyDesign) =>
  store.standingOf(design).map(({ comparisons, place }) => [place, comparisons])

it('spends at most 0.05 on a family, however many comparisons there are, and lets six seeds show the first', () => {
  const levels = Array.from({ length: 100_000 }, (_, i) => levelAt(i + 1))
  expect(levels.reduce((sum, level) => sum + level, 0)).toBeCloseTo(0.05, 6)
  expect(levels[0]).toBe(2 / 2 ** 6)
})

it('gives each look a place in the family of its networks: other steps, seeds, metric and data seed, but not other names', () => {
  const store = storeAt(freshFolder())
  const first = studyOf(['base', 'a'])
  expect(placesOf(store, first)).toEqual([[1, 1]]) // where it would stand
  store.recordDesign(first)
  const named = { ...first, study: 'other', variants: first.variants.map((each) => ({ ...each, settings: { lr: 1 } })) }
  store.recordDesign(named)
  expect(placesOf(store, named)).toEqual([[1, 1]])
  const looks = [
    studyOf(['base', 'a'], { how: 'steps + 1' }),
    studyOf(['base', 'a'], { seeds: [7, 8] }),
    studyOf(['base', 'a'], { metric: 'n' }),
    studyOf(['base', 'b']),
    studyOf(['changed', 'b']),
  ]
  for (const [i, look] of looks.entries()) {
    store.recordDesign(look)
    expect(placesOf(store, look)).toEqual([[i + 2, i + 2]])
  }
  expect(placesOf(store, first)).toEqual([[1, 6]])
  store.recordDesign(studyOf(['base', 'a'], { on: 'other data' }))
  expect(store.listFamilies().map(({ comparisons }) => comparisons)).toEqual([1, 6])
  store.close()
})

it('tests what a study enters at once at the sum of its levels, and joins families that come to share a network', () => {
  const store = storeAt(freshFolder())
  store.recordDesign(studyOf(['base', 'a', 'b']))
  store.recordDesign(studyOf(['c', 'd']))
  const both = studyOf(['a', 'c', 'e'])
  store.recordDesign(both)
  const standing = store.standingOf(both)
  expect(standing).toMatchObject([
    { place: 4, comparisons: 5, entered: 2 },
    { place: 5, comparisons: 5, entered: 2 },
  ])
  expect(standing[0]?.level).toBe(levelAt(4) + levelAt(5))
  expect(store.listFamilies()).toHaveLength(1)
  store.close()
})

it('counts networks that were trained alone before, one of which may have been chosen', () => {
  const store = storeAt(freshFolder())
  for (const network of ['a', 'b', 'c']) store.recordDesign(studyOf([network]))
  const last = studyOf(['base', 'c'])
  store.recordDesign(last)
  expect(placesOf(store, last)).toEqual([[3, 3]])
  const next = studyOf(['base', 'd'])
  store.recordDesign(next)
  expect(placesOf(store, next)).toEqual([[4, 4]]) // c is compared already
  store.close()
})

it('does not count a baseline that was trained alone with seeds that are compared, and counts seeds that were left out', () => {
  const store = storeAt(freshFolder())
  store.recordDesign(studyOf(['base'], { seeds: [1] }))
  expect(placesOf(store, studyOf(['base', 'a']))).toEqual([[1, 1]])
  store.recordDesign(studyOf(['a'], { seeds: [1, 7, 8] }))
  expect(placesOf(store, studyOf(['base', 'a']))).toEqual([[2, 2]])
  store.close()
})

it('begins a new family after one was closed, and says so; a quick study and one that asks nothing have no place', () => {
  const store = storeAt(freshFolder())
  store.recordDesign(studyOf(['base', 'a']))
  const [family] = store.listFamilies()
  store.closeFamily(family?.id ?? 0)
  const next = studyOf(['base', 'b'])
  store.recordDesign(next)
  expect(store.standingOf(next)).toMatchObject([
    { place: 1, comparisons: 1, before: { comparisons: 1 }, closedAt: null },
  ])
  expect(store.standingOf(studyOf(['base', 'a']))[0]?.closedAt).toBeGreaterThan(0)
  expect(() => store.closeFamily(99)).toThrow('no such family')
  const quick = { ...next, variants: next.variants.map(({ arm: _, ...each }) => each) }
  expect([store.standingOf(quick), store.standingOf({ ...next, questions: [] })]).toEqual([[], []])
  store.close()
})

it('looks everything up in an index', () => {
  const folder = freshFolder()
  const store = storeAt(folder)
  store.recordDesign(studyOf(['a']))
  store.recordDesign(studyOf(['base', 'b']))
  store.recordDesign(studyOf(['base', 'c']))
  store.standingOf(studyOf(['base', 'd']))
  const texts = store.statements().filter((text) => /comparison/.test(text) && !/group by|insert/.test(text))
  store.close()
  const database = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'))
  const plans = texts.flatMap((text) =>
    (
      database.prepare(`explain query plan ${text}`).all(...Array.from(text.matchAll(/\?/g), () => 1)) as {
        detail: string
      }[]
    )
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN comparison/.test(detail)),
  )
  database.close()
  expect(texts.length).toBeGreaterThan(5)
  expect(plans).toEqual([])
})
