import { describe, expect, it } from 'vitest'
import { add, block, compare, convMixer, dense, gmlp, image, mixer, shapes } from '../../../engine/index.ts'
import { noteProvenance } from '../../../engine/notebook/provenance.ts'
import type { StudySpec } from '../../../engine/study/compare.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { memoryFiles } from '../data/memory-files.ts'

it('has the number of a block in the key of its runs once it was raised, and in no other', async () => {
  const raised = Object.assign(gmlp({}), { numerics: 2 })
  const mine = block('mine', { a: 1 }, (x) => x, { numerics: 2 })
  const derived = block('derived', { a: 1 }, mine.run)
  const uneven = convMixer({ patch: [4, 2] }) // at these sizes alone its numbers have changed
  const variants = { gmlp, raised, mixer, mine, derived, convMixer, uneven }
  const task = image({ data: shapes({ train: 8, test: 4 }) })
  const { planned } = await openStudy(compare('s', { task, variants, seeds: 1 }), {}, memoryFiles({}))
  const models = planned.map(({ spec }) => spec.model as { numerics?: number })
  expect(models.map(({ numerics }) => numerics)).toEqual([undefined, 2, undefined, 2, 2, undefined, 2])
  expect(planned[0]?.key).not.toBe(planned[1]?.key)
})

describe('the code of a run', () => {
  const provenance = (cell: string) => ({ cell, name: null, fingerprint: `print of ${cell}`, code: `code of ${cell}` })
  const task = image({ data: shapes({ train: 8, test: 4 }) })
  async function codeOf(variant: typeof mixer | ReturnType<typeof block>, cell?: string) {
    const study = compare('s', { task, variants: { variant }, seeds: 1 } as StudySpec)
    if (cell) noteProvenance(study, provenance(cell))
    const [planned] = (await openStudy(study, {}, memoryFiles({}))).planned
    return [(planned?.spec.model as { code?: string } | undefined)?.code, planned?.code]
  }

  it('is that of the cell that has the block, or else of the cell of the study', async () => {
    const mine = block('mine', (x, { dim }) => add(x, dense(x, dim)))
    expect(await codeOf(mine, 'study')).toEqual(['print of study', 'code of study'])
    noteProvenance(mine.origin, provenance('block'))
    expect(await codeOf(mine, 'study')).toEqual(['print of block', 'code of block'])
  })
  it('is the name of a built-in block, whatever its options', async () => {
    for (const variant of [mixer, mixer({ dim: 16 })])
      expect(await codeOf(variant, 'study')).toEqual(['built in', '// built in: mixer'])
  })
  it('is the function itself where no cell has it', async () => {
    const mine = block('mine', (x) => x)
    expect(await codeOf(mine)).toEqual([String(mine.run), String(mine.run)])
  })
})

it('has nothing of what is only kept in the key, nor in the spec', async () => {
  const planned = async (train: object) => {
    const task = image({ data: shapes({ train: 8, test: 4 }) })
    const study = compare('s', { task, variants: { mixer }, seeds: 2, train } as StudySpec)
    return (await openStudy(study, {}, memoryFiles({}))).planned
  }
  const kept = { checkpointEvery: { steps: 3 }, histograms: false, snapshots: 4 }
  expect(await planned({ steps: 5, ...kept })).toEqual(await planned({ steps: 5 }))
  const keys = new Set([...(await planned({ steps: 5 })), ...(await planned({ steps: 6 }))].map(({ key }) => key))
  expect(keys.size).toBe(4)
})
