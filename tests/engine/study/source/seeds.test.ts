import { describe, expect, it } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import { withSeeds } from '../../../../engine/study/source/seeds.ts'

const cell = (rest: string) => `export const tiny = compare('tiny', {${rest}})`
const changed = (rest: string, more = 2) => withSeeds(cell(rest), 'tiny', more)

describe('withSeeds', () => {
  const cases: [string, string][] = [
    ['seeds: 6, task', 'seeds: 8, task'],
    [' task, seeds: 6 /* of 10 */ ', ' task, seeds: 8 /* of 10 */ '],
    ['seeds: [1, 2, 3]', 'seeds: [1, 2, 3, 4, 5]'],
    ['seeds: [ 7, 1, ], task', 'seeds: [ 7, 1, 8, 9, ], task'],
    ['seeds: 1_0', 'seeds: 12'],
    ['"seeds": 6', '"seeds": 8'],
    ['...common, seeds: 6', '...common, seeds: 8'],
    ['seeds: 6, quick: { seeds: 6 }', 'seeds: 8, quick: { seeds: 6 }'],
    ['quick: { seeds: 6 }', 'quick: { seeds: 6 }, seeds: 5'],
    [' task, variants ', ' task, variants, seeds: 5 '],
    [' task, ', ' task, seeds: 5, '],
    ['\n  task, // ours\n  variants // both\n', '\n  task, // ours\n  variants, // both\n  seeds: 5\n'],
    ['\n  task,\n  train: { steps: 6 }, // few\n', '\n  task,\n  train: { steps: 6 }, // few\n  seeds: 5,\n'],
    ['\n  task,\n  // seeds: 3,\n', '\n  task,\n  // seeds: 3,\n  seeds: 5,\n'],
    ['\n  task /* , */,\n', '\n  task /* , */,\n  seeds: 5,\n'],
  ]
  it.each(cases)('makes {%s} to {%s}', (before, after) => {
    expect(changed(before)).toBe(cell(after))
  })

  it('keeps types, and is not misled by what looks like the place', () => {
    const source = `#!/usr/bin/env mixlab
type Options<T extends 6 = 6> = { seeds: 6; rest: T }
interface Seeds { seeds: 6 }
enum Count { seeds = 6 }
const text = "compare('tiny', { seeds: 6 })" // seeds: 6
const other = compare('other', { seeds: 6 } as Options)
export const tiny: Study = mixlab.compare<'6'>('tiny', <Options<6>>{ task: 6 as unknown as 6, seeds: 6 as 6 } satisfies X)
`
    expect(withSeeds(source, 'tiny', 1)).toBe(source.replace('as 6, seeds: 6 as', 'as 6, seeds: 7 as'))
    expect(withSeeds(source, 'other', 1)).toBe(source.replace("'other', { seeds: 6 }", "'other', { seeds: 7 }"))
  })

  it('inserts behind types', () => {
    const source = "compare('tiny', {\n  task: a as { b: 1 },\n  model: c! as D<{}>,\n} as Spec)"
    expect(withSeeds(source, 'tiny', 3)).toBe(source.replace('<{}>,', '<{}>,\n  seeds: 6,'))
    const bare = source.replace('!', '').replace('<{}>,', '')
    expect(withSeeds(bare, 'tiny', 3)).toBe(bare.replace('as D', 'as D,\n  seeds: 6'))
  })

  it('is null where the cell does not define the study', () => {
    expect(withSeeds(cell('seeds: 6'), 'other', 2)).toBeNull()
    expect(withSeeds('compare(name, { seeds: 6 }); compared("tiny", { seeds: 6 })', 'tiny', 2)).toBeNull()
  })

  const elsewhere: [string, string][] = [
    ['seeds: count', "it is 'count'"],
    ['seeds', "it is 'seeds'"],
    ['seeds: [1, ...others]', "it is '[1, ...others]'"],
    ['seeds: []', "it is '[]'"],
    ['...common', "it may come from '...common'"],
    ['seeds: 6, ...common', "it may come from '...common'"],
  ]
  it.each(elsewhere)('says for {%s} where the number comes from', (rest, why) => {
    expect(() => changed(rest)).toThrow(MixlabError)
    expect(() => changed(rest)).toThrow(`tiny.seeds: ${why}; change the number of seeds there by hand`)
  })

  it('refuses a cell that defines the study twice, and one that cannot be read', () => {
    expect(() => withSeeds(`{ ${cell('seeds: 1')} }\n${cell('seeds: 2')}`.replaceAll('export', ''), 'tiny', 1)).toThrow(
      'it is defined twice',
    )
    expect(() => withSeeds(cell('seeds: '), 'tiny', 1)).toThrow(MixlabError)
  })
})
