import { expect, it } from 'vitest'
import { block, compare, gmlp, image, mixer, shapes } from '../../../engine/index.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { memoryFiles } from '../data/memory-files.ts'

it('has the number of a block in the key of its runs once it was raised, and in no other', async () => {
  const raised = Object.assign(gmlp({}), { numerics: 2 })
  const mine = block('mine', { a: 1 }, (x) => x, { numerics: 2 })
  const derived = block('derived', { a: 1 }, mine.run)
  const variants = { gmlp, raised, mixer, mine, derived }
  const task = image({ data: shapes({ train: 8, test: 4 }) })
  const { planned } = await openStudy(compare('s', { task, variants, seeds: 1 }), {}, memoryFiles({}))
  const models = planned.map(({ spec }) => spec.model as { numerics?: number })
  expect(models.map(({ numerics }) => numerics)).toEqual([undefined, 2, undefined, 2, 2])
  expect(planned[0]?.key).not.toBe(planned[1]?.key)
})
