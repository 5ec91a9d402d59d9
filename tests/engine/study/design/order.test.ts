import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../../engine/display/csv.ts'
import { plot, table } from '../../../../engine/display/index.ts'
import * as mixlab from '../../../../engine/index.ts'
import { compare, factors, image, mixer, only, shapes } from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/evaluate.ts'
import { keyOf, permutation } from '../../../../engine/random.ts'
import type { Study, StudySpec } from '../../../../engine/study/compare.ts'
import { crossingOf } from '../../../../engine/study/design/crossing.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { propertyName } from '../../../../engine/study/recreate/literal.ts'
import { verdicts } from '../../../../engine/study/statistics/index.ts'
import { studiesIn } from '../../../../engine/study/studies.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const SORTED = ['0', '4', '64', '4294967294']
const KEPT = [
  'none',
  ' ',
  'a b',
  '-1',
  '064',
  '1.5',
  '1e3',
  '4294967295',
  'größe',
  '64 ',
  '__proto__',
  'constructor',
  'toString',
  "it's",
]
const REFUSED = /(\d+): its place is lost, .*; write e\.g\. 'n=\1'/

const isKept = (names: string[]) => !names.some((name) => SORTED.includes(name))

/** Names in some order, two to five of them, and whether JavaScript keeps that. */
const examples = Array.from({ length: 60 }, (_, i) => {
  const all = i % 3 === 0 ? KEPT : [...SORTED, ...KEPT]
  const names = [...permutation(keyOf(i, 'names'), all.length)].slice(0, 2 + (i % 4)).map((place) => all[place] ?? '')
  return { names, kept: isKept(names) }
})

const task = image({ data: shapes({ train: 16, test: 8 }) })
const small = { task, model: { dim: 8, depth: 1, ffn: 16 }, train: { steps: 2, batch: 8 }, seeds: 1 }
const byName = <Value>(names: string[], value: (place: number) => Value) =>
  Object.fromEntries(names.map((name, place) => [name, value(place)]))
const open = (study: Study) => openStudy(study, {}, memoryFiles({}))
const openWith = (variants: StudySpec['variants']) => open(compare('s', { ...small, variants }))

/** What comes of names: themselves where JavaScript keeps their order, and else the sentence that says how to write them. */
async function expectOrder(
  kept: boolean,
  names: readonly unknown[],
  order: () => Promise<readonly unknown[]> | readonly unknown[],
) {
  const found = (async () => order())()
  if (kept) expect(await found).toEqual(names)
  else await expect(found).rejects.toThrow(REFUSED)
}

/** A run of each variant, of which the later ones are better. */
const runsOf = (names: string[]) =>
  names.map((variant, place) => ({
    ...{ id: place, variant, seed: 1, status: 'done' as const, backend: 'simd' },
    metrics: { 'test/accuracy': { last: place / 10, best: place / 10 } },
  }))

describe('the order that names were written in is kept, or refused with how to write it', () => {
  it('of variants: in the plan, the design, and whom they are compared to', async () => {
    for (const { names, kept } of examples) {
      await expectOrder(kept, names, async () => {
        const { planned, design } = await openWith(byName(names, (place) => mixer({ ffn: 8 + place })))
        expect(planned.map(({ variant }) => variant)).toEqual(names)
        const order = design.variants.map(({ variant }) => variant)
        const [verdict] = verdicts({
          metric: 'test/accuracy',
          variants: order,
          baseline: order[0] ?? '',
          runs: runsOf(order),
          design,
        })
        expect(verdict?.baseline).toBe(names[0])
        return order
      })
    }
  })

  it('of variants as a notebook has them', async () => {
    const silent = () => {}
    const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
    for (const { names, kept } of examples.slice(0, 12)) {
      const text = `import { compare, image, mixer, shapes } from 'mixlab'
export const s = compare('s', { task: image({ data: shapes({ train: 16, test: 8 }) }), model: { dim: 8, depth: 1 }, train: { steps: 2, batch: 8 },
  seeds: 1, variants: { ${names.map((name, i) => `${propertyName(name)}: mixer({ ffn: ${8 + i} })`).join(', ')} } })`
      await expectOrder(kept, names, async () => {
        const values = [...(await evaluateAll(text, { mixlab }, { console })).values()].map(({ value }) => value)
        const [study] = studiesIn(values)
        return study ? (await open(study)).design.variants.map(({ variant }) => variant) : []
      })
    }
  })

  it('of the values of a factor, and of factors', async () => {
    for (const { names, kept } of examples.slice(0, 30)) {
      await expectOrder(kept, names, async () => {
        const made = factors({ n: byName(names, (place) => place) }, ({ n }) => mixer({ ffn: 8 + Number(n) }))
        const { variants } = (await openWith(made)).design
        expect(variants.map(({ variant }) => variant)).toEqual(names.map((name) => `n=${name}`))
        return crossingOf(variants)?.factors[0]?.levels ?? []
      })
      const few = names.slice(0, 3)
      await expectOrder(isKept(few), few, async () => {
        const made = factors(
          byName(few, () => [8, 16]),
          (values) => mixer({ ffn: Object.values(values).reduce((a, b) => 2 * a + b) }),
        )
        const crossing = crossingOf((await openWith({ plain: mixer({ ffn: 7 }), ...made })).design.variants)
        expect(crossing?.others).toEqual(['plain'])
        return crossing?.factors.map(({ name }) => name) ?? []
      })
    }
  })

  it('of factors that variants name themselves', async () => {
    const named = (each: Record<string, number>) => ({
      a: { block: mixer({ ffn: 8 }), factors: each },
      b: mixer({ ffn: 9 }),
    })
    await expect(openWith(named({ x: 1, '4': 2 }))).rejects.toThrow('s.variants.a.factors.4: its place is lost')
    await expect(openWith(named({ x: 1, y: 2 }))).resolves.toBeDefined()
  })

  it('of the series of a figure, and of the columns of a table and its CSV', async () => {
    for (const { names, kept } of examples) {
      const series = byName(names, (place) => [place])
      for (const draw of [plot.line, plot.scatter, plot.bar])
        await expectOrder(kept, names, () => draw({ y: series }).series.map(({ name }) => name))
      await expectOrder(kept, names, () => plot.histogram({ x: series }).series.map(({ name }) => name))
      for (const given of [series, [byName(names, (place) => place)], [{}, byName(names, (place) => place)]])
        await expectOrder(kept, names, () => {
          const { columns, rows } = table(given)
          expect(rows.at(-1)).toEqual([...names.keys()])
          expect(toCsv(columns, rows).split('\r\n')[0]).toBe(toCsv(names, []).split('\r\n')[0])
          return columns
        })
    }
  })
})

describe('a name that is a whole number', () => {
  const study = compare('s', { ...small, variants: byName(['64', 'none', '4'], (place) => mixer({ ffn: 8 + place })) })

  it('says how else to write it', async () => {
    const why = 'its place is lost, since JavaScript puts names that are whole numbers before all others'
    await expect(open(study)).rejects.toThrow(`s.variants.4: ${why}; write e.g. 'n=4' or factors({ n: [4, …] }, …)`)
    const made = factors({ heads: { '4': 1, none: 0 } }, ({ heads }) => mixer({ ffn: 8 + heads }))
    await expect(openWith(made)).rejects.toThrow(`factors.heads.4: ${why}; write e.g. 'n=4' or a list: [4, …]`)
    expect(() => plot.bar({ y: { b: [1], '7': [2] } })).toThrow(`plot.bar.y.7: ${why}; write e.g. 'n=7'`)
    expect(() => table([{ b: 1 }, { '7': 1, b: 2 }])).toThrow(`table[1].7: ${why}; write e.g. 'n=7'`)
  })

  it('is allowed alone, and in a list of values', async () => {
    expect((await open(only(study, { variants: ['64'] }))).planned.map(({ variant }) => variant)).toEqual(['64'])
    expect((await open(only(study, { variants: ['none'] }))).planned).toHaveLength(1)
    await expect(open(only(study, { variants: ['64', 'none'] }))).rejects.toThrow(REFUSED)
    const listed = factors({ n: [64, 4, '8'] }, ({ n }) => mixer({ ffn: Number(n) }))
    expect((await openWith(listed)).design.variants.map(({ variant }) => variant)).toEqual(['n=64', 'n=4', 'n=8'])
    expect(table([{ '4': 1 }, { '2': 2 }]).columns).toEqual(['4', '2'])
  })
})

it('__proto__ that is written without brackets is no name, and takes none away', () => {
  const lost = { __proto__: { block: mixer() }, a: mixer() }
  expect(() => compare('s', { ...small, variants: lost })).toThrow('s.variants: {}, expected values by name')
  expect(() => factors({ __proto__: [1, 2], a: [1] } as never, () => mixer())).toThrow(
    'factors: expected values by the names',
  )
})
