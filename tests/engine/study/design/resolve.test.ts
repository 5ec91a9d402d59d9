import { describe, expect, it } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import { add, block, compare, dense, image, mixer, sequence, shapes } from '../../../../engine/index.ts'
import type { StudySpec } from '../../../../engine/study/compare.ts'
import { resolveStudy } from '../../../../engine/study/design/resolve.ts'

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const study = (more: Partial<StudySpec> = {}) =>
  compare('s', { task: image({ data: shapes({ train: 64, test: 20 }) }), variants: { plain, mixer: mixer() }, ...more })

describe('a resolved study', () => {
  it('has every default filled in', () => {
    const { name, variants, seeds } = resolveStudy(study())
    const [{ task, recipe, from } = {}] = variants
    expect([name, task?.task, seeds, from]).toEqual(['s', 'image', [1, 2, 3], undefined])
    expect(variants.map((variant) => [variant.name, variant.block.blockName])).toEqual([
      ['plain', 'plain'],
      ['mixer', 'mixer'],
    ])
    expect(Object.keys(variants[0]?.size ?? {})).toEqual(expect.arrayContaining(['dim', 'depth', 'patch']))
    expect(recipe).toMatchObject({ steps: 600, batch: 64, schedule: 'cosine' })
  })

  it('takes what it says', () => {
    const before = study()
    const { variants, seeds } = resolveStudy(
      study({ model: { dim: 24 }, train: { steps: 7 }, seeds: [4, 9], from: before }),
    )
    expect(variants.map(({ size }) => size.dim)).toEqual([24, 24])
    expect(seeds).toEqual([4, 9])
    for (const { recipe, from } of variants) {
      expect(recipe.steps).toBe(7)
      expect(from).toBe(before)
    }
  })

  it('is run as the user wants it this time', () => {
    const one = study({ seeds: 5, quick: { train: { steps: 2 } } })
    expect(resolveStudy(one)).toMatchObject({ seeds: [1, 2, 3, 4, 5], part: null })
    expect(resolveStudy(one, { seeds: 2 })).toMatchObject({ seeds: [1, 2, 3, 4, 5], part: [1, 2] })
    expect(resolveStudy(one, { seeds: 6 })).toMatchObject({ seeds: [1, 2, 3, 4, 5, 6], part: null })
    expect(resolveStudy(study({ seeds: [3, 4] }), { seeds: 1 })).toMatchObject({ seeds: [1], part: null })
    expect(resolveStudy(one, { quick: true }).variants[0]?.recipe.steps).toBe(2)
    expect(resolveStudy(one, { quick: false }).variants[0]?.recipe.steps).toBe(600)
  })

  it('names the place of what is wrong', () => {
    const refused = (more: Partial<StudySpec>) => {
      try {
        resolveStudy(study(more))
      } catch (error) {
        if (error instanceof MixlabError) return [error.code, error.path]
      }
      return []
    }
    expect(refused({ train: { batch: 5, accumulate: 2 } })).toEqual(['option', 's.train.accumulate'])
    const task = sequence({ data: 'world', tokens: 8 })
    expect(refused({ task, train: { mixup: 0.5 } })).toEqual(['option', 's.train.mixup'])
    expect(refused({ variants: { mixer: mixer({ dim: -1 }) } })).toEqual(['option', 's.variants.mixer.dim'])
  })
})
