import { describe, expect, it, vi } from 'vitest'
import { adamw, compare, gmlp, image, mlm, shapes, world } from '../../engine/index.ts'
import type * as options from '../../engine/options.ts'
import type { StudySpec } from '../../engine/study/compare.ts'
import { openStudy } from '../../engine/study/open.ts'
import { files } from './files.ts'
import { nameOf, plannedRuns, shortKey } from './runs.ts'
import { KEY_CHANGED, type Rows, RUNS, readTable } from './table.ts'

/** Where options are inside of others. */
const nested = vi.hoisted(() => ['train', 'model', 'augment', 'randAugment', 'dropout'])

/** All options of the engine get one more, `later`, with a default. */
vi.mock('../../engine/options.ts', async (original) => {
  type Options = Record<string, unknown>
  const isOptions = (value: unknown): value is Options =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  const inside = (value: Options, change: (part: Options, name: string) => Options) =>
    Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        nested.includes(name) && isOptions(part) ? change(part, name) : part,
      ]),
    )
  const without = ({ later: _, ...value }: Options): Options => inside(value, without)
  const added = (value: Options, given: Options): Options => ({
    ...inside(value, (part, name) => added(part, isOptions(given[name]) ? given[name] : {})),
    later: given.later ?? 0.1,
  })
  const { parseOptions, copyOf } = await original<typeof options>()
  return {
    copyOf,
    parseOptions: (...[schema, value, path]: Parameters<typeof parseOptions>) => {
      if (!isOptions(value)) return parseOptions(schema, value, path)
      const result = parseOptions(schema, without(value), path)
      return isOptions(result) ? added(result, value) : result
    },
  }
})

describe('a new option of everything that has options', () => {
  it('leaves all keys as they are where it has its default', async () => {
    const table = readTable<Rows>(RUNS)
    const changed = (await plannedRuns()).filter((run) => table[nameOf(run)]?.[1] !== shortKey(run))
    expect(changed.map(nameOf), KEY_CHANGED).toEqual([])
  })

  const later = { later: 0.2 }
  const few = { train: 40, test: 6 }
  const data = world(few)
  const keyOf = async (more: object) => {
    const common = { task: mlm({ data }), variants: { gmlp }, seeds: 1 }
    const study = compare('s', { ...common, ...more } as StudySpec)
    return (await openStudy(study, {}, files)).planned[0]?.key
  }
  it.each<[string, object]>([
    ['a recipe', { train: later }],
    ['an optimizer', { train: { optimizer: adamw(later as object) } }],
    ['a model', { model: later }],
    ['dropout', { model: { dropout: later } }],
    ['a task', { task: mlm({ data, ...later }) }],
    ['a data set', { task: mlm({ data: world({ ...few, ...later }) }) }],
    ['a tokenizer', { task: mlm({ data, tokenizer: later as object }) }],
  ])('makes another run of %s where it differs', async (_, more) => {
    expect(await keyOf(more)).not.toBe(await keyOf({}))
    expect(await keyOf(JSON.parse(JSON.stringify(more).replace('0.2', '0.1')))).toBe(await keyOf({}))
  })
  it('makes another run of augmentation where it differs', async () => {
    const task = image({ data: shapes({ train: 8, test: 4 }) })
    const augmented = (augment: object) => keyOf({ task, train: { augment: { flip: 0.5, ...augment } } })
    expect(await augmented(later)).not.toBe(await augmented({}))
    expect(await augmented({ later: 0.1 })).toBe(await augmented({}))
  })
})
