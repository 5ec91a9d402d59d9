import { describe, expect, it } from 'vitest'
import { compare, gmlp, image, mixer, sgd, shapes } from '../../../engine/index.ts'
import type { StudySpec } from '../../../engine/study/compare.ts'
import { checkOnly, resolveStudy } from '../../../engine/study/design/resolve.ts'

const spec: StudySpec = { task: image({ data: 'shapes' }), variants: { gmlp, mixer }, train: { steps: 400 }, seeds: 6 }

const LONG_NAME = 'n'.repeat(201)
const manyVariants = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, gmlp]))

describe('compare', () => {
  it.each([
    [{ ...spec, variant: {} }, "s: unknown option 'variant' (did you mean 'variants'?)"],
    [{ ...spec, variants: {} }, 's.variants: empty, expected at least one block'],
    [{ ...spec, variants: [1] }, 's.variants: [1], expected values by name'],
    [
      { ...spec, variants: { a: 3 } },
      's.variants.a: expected a block, e.g. gmlp({ depth: 4 }), or { block, model, train, task, from }',
    ],
    [{ ...spec, task: 'shapes' }, "s.task: 'shapes', expected a task, e.g. image({ data })"],
    [{ ...spec, task: image({ data: 'shape' }) }, "task.data: unknown data set 'shape' (did you mean 'shapes'?)"],
    [{ ...spec, task: image({ dta: 'shapes' } as never) }, "task: unknown option 'dta' (did you mean 'data'?)"],
    [{ ...spec, seeds: 0 }, 's.seeds: 0, expected'],
    [{ ...spec, seeds: 1e6 }, 's.seeds: 1000000, expected at most 1000'],
    [{ ...spec, variants: manyVariants(1001) }, 's.variants: 1001, expected at most 1000'],
    [
      { ...spec, variants: { [LONG_NAME]: gmlp } },
      `s.variants: '${'n'.repeat(80)}...' has 201 characters, expected 1 to 200`,
    ],
    [{ ...spec, model: { dims: 3 } }, "s.model: unknown option 'dims' (did you mean 'dim'?)"],
    [{ ...spec, train: { batch: 1.5 } }, 's.train.batch: 1.5, expected a whole number'],
    [{ ...spec, quick: { train: { step: 1 } } }, "s.quick.train: unknown option 'step' (did you mean 'steps'?)"],
    [{ ...spec, together: ['a', 'b'] }, "s.together: a, b; expected 's' itself among them"],
    [{ ...spec, together: ['s', 's'] }, "s.together: 's' stands there twice"],
    [{ ...spec, together: ['s'] }, 's.together: ["s"], expected at least 2'],
    [{ ...spec, seeds: [3, 4, 3] }, 's.seeds: [3,4,3], expected each seed once'],
  ])('refuses a bad spec: %#', (bad, message) => {
    expect(() => compare('s', bad as StudySpec)).toThrow(message)
  })
  it('keeps what it was given, whatever code does with that afterwards', () => {
    const options = { learningRate: 0.1 }
    const given = { data: shapes({ size: 16 }) }
    const train = { optimizer: sgd(options), augment: { flip: 0.5 }, noDecay: ['norm'] }
    const variants = {
      gmlp,
      wide: { block: gmlp, model: { dropout: { head: 0.1 } }, train: { augment: { flip: 0.1 } } },
    }
    const quick = { train: { augment: { flip: 0.2 } } }
    const study = compare('s', { task: image(given), train, variants, quick })
    const before = JSON.stringify(study)
    options.learningRate = 9
    given.data = shapes({ size: 32 })
    Object.assign(train.optimizer.options, { learningRate: 9 })
    for (const { augment } of [train, variants.wide.train, quick.train]) augment.flip = 0
    train.noDecay.pop()
    variants.wide.model.dropout.head = 0
    expect(JSON.stringify(study)).toBe(before)
    expect(before).toContain('"learningRate":0.1')
    expect(before).toContain('"size":16')
  })
  it('needs a name', () => {
    expect(() => compare(spec as never, spec)).toThrow('compare: expected a name as first argument')
    expect(() => compare(LONG_NAME, spec)).toThrow('has 201 characters, expected 1 to 200')
  })
})

describe('resolveStudy', () => {
  it('fills in every default', () => {
    const resolved = resolveStudy(compare('s', spec))
    expect(resolved.seeds).toEqual([1, 2, 3, 4, 5, 6])
    expect(resolved.variants.map(({ name, size }) => [name, size.ffn])).toEqual([
      ['gmlp', 384],
      ['mixer', 256],
    ])
    expect(resolved.variants[0]?.task.options).toMatchObject({ data: { dataset: 'shapes', options: { size: 32 } } })
  })
  it('keeps only the variants and seeds that were asked for', () => {
    expect(resolveStudy(compare('s', spec), { seeds: 2 })).toMatchObject({ seeds: [1, 2, 3, 4, 5, 6], part: [1, 2] })
    expect(() => checkOnly(compare('s', spec), ['mixer'])).not.toThrow()
    expect(() => checkOnly(compare('s', spec), ['mixr'])).toThrow("s: unknown variant 'mixr' (did you mean 'mixer'?)")
  })
  it('bounds steps, seeds and evaluation in the quick mode', () => {
    const quick = { model: { dim: 16 }, train: { batch: 8 } }
    const resolved = resolveStudy(compare('s', { ...spec, quick }), { quick: true })
    expect(resolved.seeds).toEqual([1, 2, 3])
    expect(resolved.variants[0]?.recipe).toMatchObject({ steps: 150, batch: 8, evalExamples: 512 })
    expect(resolved.variants[0]?.size.dim).toBe(16)
  })
})
