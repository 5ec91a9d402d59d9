import { expect, it } from 'vitest'
import { designsIn, namesIn } from '../../../../engine/study/source/designs.ts'

const sizes = (source: string) => designsIn(source, 'a').map(({ study, variants, seeds }) => [study, variants, seeds])

it('tells variants and seeds of the studies of a cell, also those in other expressions', () => {
  const source = `export const a: Study = compare('a', { task, variants: { plain, 'b-c': gmlp() as Block }, seeds: 6 })
run([compare('b', { variants: { plain }, seeds: [1, 5] }), mixlab.compare<X>('c', { variants: {} })])`
  expect(sizes(source)).toEqual([
    ['a', 2, 6],
    ['b', 1, 2],
    ['c', 0, 3],
  ])
})

it('tells nothing where the text does not say it', () => {
  expect(sizes("compare(name, { variants: { a }, seeds: 6 }); compare('a', spec); compares('a', {})")).toEqual([])
  expect(sizes("compare('a', { variants: { a, ...more }, seeds: 6 })")).toEqual([])
  expect(sizes("compare('a', { variants, seeds: 6 })")).toEqual([])
  expect(sizes("compare('a', { variants: { a }, seeds: count })")).toEqual([])
  expect(sizes("compare('a', { variants: { a }, seeds: 6, ...common })")).toEqual([])
  expect(sizes("compare('a', {")).toEqual([])
})

it('names the studies of a cell whose text says so, whatever else is wrong with it', () => {
  const text =
    "const a = compare('one', { task, step: 3 })\nconst b = compare(name, {})\nexport const c = compare('two', {})"
  expect(namesIn(text, 'c')).toEqual(['one', 'two'])
  expect([namesIn('compare(', 'c'), namesIn('1 + 1', 'c')]).toEqual([[], []])
})
