import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { block, compare, factors, gmlp, image, mixer, mul, shapes } from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/evaluate.ts'
import { isStudy, type Study, type StudySpec } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { studiesIn } from '../../../../engine/study/studies.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const task = image({ data: shapes({ train: 16, test: 8 }) })
const small = { task, model: { dim: 8, depth: 1, ffn: 16 }, train: { steps: 2, batch: 8 }, seeds: 1 }
const open = (spec: Partial<StudySpec>) =>
  openStudy(compare('s', { ...small, variants: {}, ...spec }), {}, memoryFiles({}))
const keys = async (spec: Partial<StudySpec>) => (await open(spec)).planned.map(({ key }) => key)

/** The studies of a notebook, opened. */
async function studiesOf(text: string) {
  const log = () => {}
  const console = { debug: log, log, info: log, warn: log, error: log }
  const found = studiesIn([...(await evaluateAll(text, { mixlab }, { console })).values()].map(({ value }) => value))
  return Promise.all(found.map((study: Study) => openStudy(study, {}, memoryFiles({}))))
}

const HEAD = `
import { block, compare, factors, image, shapes, mul } from 'mixlab'
const task = image({ data: shapes({ train: 16, test: 8 }) })
const small = { task, model: { dim: 8, depth: 1 }, train: { steps: 2, batch: 8 }, seeds: 1 }
`

describe('factors', () => {
  it('cross their values, and name the variants after them', () => {
    const made = factors({ lr: [1e-3, 3e-3], gate: { plain: 'linear', cut: 'split' } }, ({ lr, gate }) => ({
      block: gmlp({ gate }),
      model: { dim: lr === 1e-3 ? 8 : 16 },
    }))
    expect(Object.keys(made)).toEqual([
      'lr=0.001 gate=plain',
      'lr=0.001 gate=cut',
      'lr=0.003 gate=plain',
      'lr=0.003 gate=cut',
    ])
    expect(made['lr=0.003 gate=cut']).toMatchObject({ model: { dim: 16 }, factors: { lr: 0.003, gate: 'cut' } })
  })

  it.each([
    [{}, () => gmlp(), 'factors: expected values by the names of factors'],
    [{ a: [] }, () => gmlp(), 'factors.a: empty'],
    [{ a: [1, 1] }, () => gmlp(), "factors.a: '1' stands there twice"],
    [{ a: [{}] }, () => gmlp(), 'factors.a: a list with a value of type object'],
    [{ a: 3 }, () => gmlp(), 'factors.a: expected a list of values'],
    [{ a: [1] }, () => 3, 'factors(a=1): expected a block, or {'],
    [{ a: [1] }, 5, 'factors: expected a function as second argument'],
  ])('refuse %j', (table, build, message) => {
    expect(() => factors(table as never, build as never)).toThrow(message)
  })

  it('are laid over the study, and differ from the baseline in what they say', async () => {
    const variants = factors({ batch: [4, 8] }, ({ batch }) => ({ block: gmlp(), train: { batch } }))
    const { planned, design } = await open({ variants })
    expect(planned.map(({ spec }) => (spec.train as { batch: number; steps: number }).batch)).toEqual([4, 8])
    expect(design.variants).toMatchObject([
      { variant: 'batch=4', settings: { batch: 4 }, crossed: true, intended: ['train.batch'] },
      { variant: 'batch=8', settings: { batch: 8 }, crossed: true, intended: ['train.batch'] },
    ])
  })
})

describe('variants of parts', () => {
  it('say themselves what they differ in', async () => {
    const more = image({ data: shapes({ train: 32, test: 8 }) })
    const { design, variants } = await open({
      block: gmlp(),
      variants: { plain: {}, more: { task: more }, long: { train: { steps: 3 } } },
    })
    expect(design.variants.map(({ settings }) => settings)).toEqual([
      { steps: 2, train: 16 },
      { steps: 2, train: 32 },
      { steps: 3, train: 16 },
    ])
    expect(variants[0]?.opened).toBe(variants[2]?.opened)
  })

  it('have the keys of the same written out, whatever their names', async () => {
    const whole = await keys({ variants: { gmlp: gmlp(), mixer: mixer() }, train: { steps: 2, batch: 4 } })
    expect(
      await keys({
        variants: { b: { block: mixer(), train: { batch: 4 } }, a: { block: gmlp(), train: { batch: 4 } } },
      }),
    ).toEqual(whole.toReversed())
  })

  it.each([
    [{ a: {} }, 's.variants.a: has no block, and neither has the study'],
    [{ a: { block: gmlp, trian: {} } }, "s.variants.a: unknown option 'trian'"],
    [{ a: { block: gmlp, train: { batch: 0 } } }, 's.variants.a.train.batch'],
    [{ a: 5 }, 's.variants.a: expected a block'],
  ])('refuse %#', (variants, message) => {
    expect(() => compare('s', { ...small, variants } as unknown as StudySpec)).toThrow(message)
  })

  it('are measured by one metric', async () => {
    const { mlm } = mixlab
    const variants = { image: gmlp(), text: { block: gmlp(), task: mlm({ data: 'world', tokens: 8 }) } }
    await expect(open({ variants })).rejects.toThrow(
      "s.variants: 'image' by test/accuracy and 'text' by test/perplexity",
    )
  })
})

describe('functions that captured values', () => {
  const made = (study: string) => `// %% study
${HEAD}
const mk = (k) => block('b', (x) => mul(x, k + 1))
${study}`

  it('have one key per value: variants of a factory, a loop over it, and factors', async () => {
    const [one] = await studiesOf(made("export const s = compare('s', { ...small, variants: { a: mk(0), b: mk(3) } })"))
    const [first, second] = await studiesOf(
      made("export const all = [0, 3].map((k) => compare('s' + k, { ...small, variants: { a: mk(k) } }))"),
    )
    const [inside] = await studiesOf(
      made("export const s = compare('s', { ...small, variants: factors({ k: [0, 3] }, ({ k }) => mk(k)) })"),
    )
    for (const runs of [one?.planned, [...(first?.planned ?? []), ...(second?.planned ?? [])], inside?.planned]) {
      expect(new Set(runs?.map(({ key }) => key)).size).toBe(2)
    }
  })

  it('share it where they do the same', async () => {
    const [study] = await studiesOf(
      made("export const s = compare('s', { ...small, variants: { a: mk(3), b: mk(3) } })"),
    )
    expect(new Set(study?.planned.map(({ key }) => key)).size).toBe(1)
  })

  it('are told apart by what they capture where they cannot be recorded, and else refused', async () => {
    const text = (plus: string) => `// %% study
${HEAD}
const mk = (k) => { const plus = ${plus}; return block('b', (x) => { x.dataSync(); return mul(x, plus(1)) }) }
export const s = compare('s', { ...small, variants: { a: mk(0), b: mk(3) } })`
    const [study] = await studiesOf(text('(n) => k + n'))
    expect(new Set(study?.planned.map(({ key }) => key)).size).toBe(2)
    const bound = text('((k, n) => k + n).bind(null, k)')
    await expect(studiesOf(bound)).rejects.toThrow("s.variants.b: two functions of block 'b' have one text")
  })
})

it('studies are found in lists and objects', () => {
  const study = compare('s', { ...small, variants: { gmlp } })
  expect(studiesIn([[study], { study }, study, [1], null, { a: study, b: 2 }])).toEqual([study])
  expect(isStudy(study)).toBe(true)
  expect(block('b', (x) => mul(x, 2)).captured).toEqual({})
})
