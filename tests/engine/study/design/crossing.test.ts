import { describe, expect, it } from 'vitest'
import { compare, factors, gmlp, image, shapes } from '../../../../engine/index.ts'
import { designSchema, type FactorValues, type VariantDesign } from '../../../../engine/records/design.ts'
import type { StudySpec } from '../../../../engine/study/compare.ts'
import { crossingOf } from '../../../../engine/study/design/crossing.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { memoryFiles } from '../../data/memory-files.ts'

const small = {
  task: image({ data: shapes({ train: 16, test: 8 }) }),
  model: { dim: 8, depth: 1, ffn: 16 },
  train: { steps: 2, batch: 8 },
  seeds: 1,
}

/** How a study is crossed, once its design was kept as text. */
async function crossingIn(variants: StudySpec['variants']) {
  const { design } = await openStudy(compare('s', { ...small, variants }), {}, memoryFiles({}))
  return crossingOf(designSchema.parse(JSON.parse(JSON.stringify(design))).variants)
}

const crossed = (variant: string, settings: FactorValues): VariantDesign => {
  return { variant, settings, crossed: true, intended: [] }
}

describe('crossingOf', () => {
  it('has factors and levels in the order of the study', async () => {
    const variants = factors({ dim: [16, 8], gate: ['split', 'linear'] }, ({ dim, gate }) => ({
      block: gmlp({ gate }),
      model: { dim },
    }))
    expect(await crossingIn(variants)).toEqual({
      factors: [
        { name: 'dim', levels: [16, 8] },
        { name: 'gate', levels: ['split', 'linear'] },
      ],
      levels: new Map([
        ['dim=16 gate=split', { dim: 16, gate: 'split' }],
        ['dim=16 gate=linear', { dim: 16, gate: 'linear' }],
        ['dim=8 gate=split', { dim: 8, gate: 'split' }],
        ['dim=8 gate=linear', { dim: 8, gate: 'linear' }],
      ]),
      others: [],
    })
  })

  it('names the variants that have no factors', async () => {
    const variants = { plain: gmlp(), ...factors({ dim: [16, 8] }, ({ dim }) => ({ block: gmlp(), model: { dim } })) }
    expect(await crossingIn(variants)).toMatchObject({ factors: [{ name: 'dim' }], others: ['plain'] })
  })

  it('is null where variants merely differ in their settings', async () => {
    expect(await crossingIn({ a: { block: gmlp(), train: { batch: 4 } }, b: { block: gmlp() } })).toBeNull()
  })

  it('leaves out what all have alike', () => {
    const found = crossingOf([crossed('a', { lr: 1, gate: 'x' }), crossed('b', { lr: 2, gate: 'x' })])
    expect(found?.factors).toEqual([{ name: 'lr', levels: [1, 2] }])
    expect([...(found?.levels ?? [])]).toEqual([
      ['a', { lr: 1 }],
      ['b', { lr: 2 }],
    ])
  })

  it('is null where the factors that all have do not tell the variants apart', () => {
    const one = [crossed('a', { lr: 1 }), crossed('b', { lr: 2 })]
    expect(crossingOf([...one, crossed('c', { lr: 1, gate: 'x' }), crossed('d', { lr: 2, gate: 'x' })])).toBeNull()
    expect(crossingOf([crossed('a', { lr: 1 }), crossed('b', { gate: 'x' })])).toBeNull()
    expect(crossingOf(one.slice(0, 1))).toBeNull()
    expect(crossingOf([])).toBeNull()
  })
})
