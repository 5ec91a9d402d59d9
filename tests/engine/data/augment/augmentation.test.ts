import { describe, expect, it } from 'vitest'
import { type AugmentableBatch, applyAugmentations } from '../../../../engine/data/augment/apply.ts'
import { augmentation } from '../../../../engine/data/augment/augmentation.ts'
import type { Augmentation, AugmentationOptions, ChangeExample } from '../../../../engine/data/augment/definition.ts'
import { augmentationsOf } from '../../../../engine/data/augment/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'

const classes = ['a', 'b', 'c']
/** Four images of 3 x 2 x 1 with a class each. */
const images = (): AugmentableBatch => ({
  fields: { image: { dtype: 'float32', shape: [3, 2, 1] }, label: { dtype: 'int32', shape: [], classes } },
  values: { image: Float32Array.from({ length: 24 }, (_, i) => i / 32), label: Int32Array.of(0, 1, 2, 1) },
})
const changed = (own: Augmentation[], { seed = 1, step = 0, twice = true, of = images() } = {}) =>
  applyAugmentations(of, augmentationsOf(resolveRecipe({ augment: { own } })), { seed, step, twice })
const imageOf = (own: Augmentation[], options = {}) => changed(own, options).values.image as Float32Array

const noise = augmentation('noise', ({ values }, random) => values.map((value) => value + random.normal('noise')))

describe('an augmentation of a cell', () => {
  it('gets one example after the other, which it may write into', () => {
    const seen: number[][] = []
    const first = augmentation('first', ({ values, shape, parts }) => {
      seen.push([...shape, parts.label?.values[0] ?? -1])
      return values.fill(0, 0, 1)
    })
    const of = images()
    const image = imageOf([first], { of, twice: false })
    expect(seen).toEqual([0, 1, 2, 1].map((label) => [3, 2, 1, label]))
    expect([...image].map((value, i) => value === (i % 6 === 0 ? 0 : i / 32))).not.toContain(false)
    expect(of).toEqual(images())
  })
  it('draws by seed, step, place in the batch, place in the list and name alone', () => {
    const image = imageOf([noise], { step: 3 })
    expect(imageOf([noise], { step: 3 })).toEqual(image)
    for (const other of [{ seed: 2 }, { step: 4 }]) expect(imageOf([noise], { step: 3, ...other })).not.toEqual(image)
    const renamed = augmentation('other', noise.change as ChangeExample)
    expect(imageOf([renamed], { step: 3 })).toEqual(image)
    const differences = image.map((value, i) => value - i / 32)
    expect(differences.slice(0, 6)).not.toEqual(differences.slice(6, 12))
    const twice = imageOf([noise, noise], { step: 3 }).map((value, i) => value - (image[i] as number))
    expect(twice).not.toEqual(differences)
  })
  it('changes parts by name, and a batch as a whole after all single examples', () => {
    const order: string[] = []
    const mix = augmentation('mix', {
      batch: ({ values, count, classes, targets }) => {
        order.push(`batch of ${count}, ${classes} classes`)
        const turned = (all: Float32Array) =>
          all.map(
            (value, i) =>
              (value + (all[all.length - all.length / count - i + 2 * (i % (all.length / count))] ?? 0)) / 2,
          )
        return { image: turned(values), label: turned(targets()) }
      },
    })
    const single = augmentation('single', ({ parts }) => {
      order.push('single')
      return { image: parts.image?.values ?? [], label: [2] }
    })
    const { fields, values } = changed([mix, single], { twice: false })
    expect(order).toEqual([...Array(4).fill('single'), 'batch of 4, 3 classes'])
    expect(fields.label).toEqual({ dtype: 'float32', shape: [3], classes })
    expect([...(values.label as Float32Array)]).toEqual(Array(4).fill([0, 0, 1]).flat())
    expect((values.image as Float32Array)[0]).toBeCloseTo((0 + 18 / 32) / 2, 6)
  })
  it('has labels as distributions where they are already', () => {
    const keep = augmentation('keep', { batch: ({ values, targets }) => ({ image: values, label: targets() }) })
    const once = changed([keep]).values.label as Float32Array
    expect([...once]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0])
    expect(changed([keep, keep]).values.label).toEqual(once)
  })
})

let calls = 0
it.each<[string, ChangeExample | AugmentationOptions]>([
  ['gave 3 x 2 x 3, expected 3 x 2 x 1', () => new Float32Array(18)],
  ['gave 5 values, expected 3 x 2 x 1', () => new Float32Array(5)],
  ['gave 4 x 3 x 2 x 2, expected 4 x 3 x 2 x 1', { batch: () => new Float32Array(48) }],
  ['gave NaN, expected finite numbers', ({ values }) => values.map(Math.sqrt).map((v) => (v === 0 ? Number.NaN : v))],
  ['gave nothing, expected the values of image, or of parts by name', (() => {}) as unknown as ChangeExample],
  ['gave a promise, expected', (async ({ values }: { values: Float32Array }) => values) as unknown as ChangeExample],
  ['gave a value of type string, expected finite numbers', (() => Array(6).fill('1')) as unknown as ChangeExample],
  ['gave no list of numbers, expected 3 x 2 x 1', (() => ({ image: {} })) as unknown as ChangeExample],
  ["gave 'imag', which the training examples do not have (did you mean 'image'?)", ({ values }) => ({ imag: values })],
  ['gave 3, expected whole numbers from 0 to 2', () => ({ label: [3] })],
  ['gave 0.5, expected whole numbers from 0 to 2', () => ({ label: [0.5] })],
  ['gave 3 values, expected a number', () => ({ label: [0, 0, 1] })],
  ["changes 'tokens', but the training examples have image, label", { part: 'tokens', change: ({ values }) => values }],
  ['gives something else the second time; take all random numbers', ({ values }) => values.map(() => Math.random())],
  ['gives something else the second time; take all random numbers', ({ values }) => values.fill(calls++)],
  ['gives something else the second time; take all', { batch: ({ values }) => values.map(() => Math.random()) }],
])("is refused in one sentence: augmentation 'own': %s", (problem, change) => {
  expect(() => changed([augmentation('own', change)])).toThrow(`augmentation 'own': ${problem}`)
})

it('says that labels without classes cannot be distributions', () => {
  const points = {
    fields: { points: { dtype: 'float32', shape: [2, 3] } },
    values: { points: new Float32Array(12) },
  } as const
  const own = augmentation('own', { batch: ({ targets }) => targets() })
  expect(() => changed([own], { of: points })).toThrow(
    "augmentation 'own': targets() needs a label with classes, which the data do not have",
  )
})

it.each<[string, unknown[]]>([
  ['augmentation: expected a name as first argument', ['', () => []]],
  ["augmentation: 'flip' is built in; take another name", ['flip', () => []]],
  ["augmentation: 'mixup' is built in; take another name", ['mixup', () => []]],
  ["augmentation 'own': expected a function (example, random) => values, or { part, change }", ['own', 3]],
  ["augmentation 'own': unknown 'chance', expected part, change, batch", ['own', { chance: 1 }]],
  ["augmentation 'own': part: expected a name, e.g. 'image'", ['own', { part: 1, change: () => [] }]],
  ["augmentation 'own': expected one function, change:", ['own', { part: 'image' }]],
  ["augmentation 'own': expected one function, change:", ['own', { change: () => [], batch: () => [] }]],
])('is refused where it is defined: %s', (problem, given) => {
  expect(() => augmentation(...(given as Parameters<typeof augmentation>))).toThrow(problem)
})

it('is the one thing that a list of them takes', () => {
  expect(() => resolveRecipe({ augment: { own: [(() => []) as unknown as Augmentation] } })).toThrow(
    "train.augment.own.0: a function, expected an augmentation, made by augmentation('name', change)",
  )
})
