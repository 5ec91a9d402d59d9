import { expect, it } from 'vitest'
import { allNamesIn, designsIn, namesIn } from '../../../../engine/study/source/designs.ts'

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

it('tells up to which seed a study is looked at', () => {
  const spec = (seeds: string) => `compare('a', { variants: { plain }, seeds: ${seeds} })`
  expect(designsIn(spec('{ upTo: 24 }'), 'a')).toEqual([{ study: 'a', variants: 1, seeds: 24, upTo: 24 }])
  expect(designsIn(spec('{ upTo: most }'), 'a')).toEqual([])
  expect(designsIn(spec('24'), 'a')).toEqual([{ study: 'a', variants: 1, seeds: 24 }])
})

it('tells nothing where the text does not say it', () => {
  expect(sizes("compare(name, { variants: { a }, seeds: 6 }); compare('a', spec); compares('a', {})")).toEqual([])
  expect(sizes("compare('a', { variants: { a, ...more }, seeds: 6 })")).toEqual([])
  expect(sizes("compare('a', { variants, seeds: 6 })")).toEqual([])
  expect(sizes("compare('a', { variants: { a }, seeds: count })")).toEqual([])
  expect(sizes("compare('a', { variants: { a }, seeds: 6, ...common })")).toEqual([])
  expect(sizes("compare('a', {")).toEqual([])
})

it('tells how many studies are planned together', () => {
  const found = (together: string) => designsIn(`compare('a', { variants: { a }, seeds: 6, ${together} })`, 'a')
  expect(found("together: ['a', 'b']")).toEqual([{ study: 'a', variants: 1, seeds: 6, together: 2 }])
  expect(found('')).toEqual([{ study: 'a', variants: 1, seeds: 6 }])
  expect([found('together'), found('together: [a, b]')]).toEqual([[], []])
})

it('names the studies of a cell whose text says so, whatever else is wrong with it', () => {
  const text =
    "const a = compare('one', { task, step: 3 })\nconst b = compare(name, {})\nexport const c = compare('two', {})"
  expect(namesIn(text, 'c')).toEqual(['one', 'two'])
  expect([namesIn('compare(', 'c'), namesIn('1 + 1', 'c')]).toEqual([[], []])
})

it.each<[string, string[] | null]>([
  ["import { add, compare } from 'mixlab'\nconst a = compare('a', {})", ['a']],
  ['export const b = mixlab.compare<X>("b", spec) // compare(name, {})', ['b']],
  ['const none = 1', []],
  ['compare(name, {})', null],
  ["compare('a' + i, {})", null],
  ["compare('a\\n', {})", null],
  ['names.map(compare)', null],
  ["import { compare as c } from 'mixlab'\nc(name, {})", null],
  ["compare('a', {", null],
])('names all studies of cells, or says that their text does not: %s', (source, names) => {
  expect(allNamesIn([{ id: 'c', source }])).toEqual(names)
})
