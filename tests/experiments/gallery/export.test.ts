import { expect, it } from 'vitest'
import type { FormatName } from '../../../engine/export/formats/index.ts'
import { onSimd } from '../../engine/backends/simd/setup.ts'
import { exported, trained } from '../../engine/export/trained.ts'
import { sample } from '../../long.ts'
import { ideas, textOf } from './ideas.ts'

onSimd()

/** A notebook of the gallery with a small study of some of its ideas in place of its own. */
const withSmallStudy = (notebook: string, names: string[]) => `${textOf(notebook).split('// %% study')[0]}// %% study
import { compare, image, shapes } from 'mixlab'
export const gallery = compare('gallery', {
  task: image({ data: shapes({ size: 16, train: 200, validation: 0.2, test: 20 }) }),
  model: { patch: 4, dim: 12, depth: 2, ffnRatio: 2 },
  variants: { ${names} },
  train: { steps: 3, batch: 8 },
  seeds: 1,
})
`

const byNotebook = Map.groupBy(sample(ideas), ({ notebook }) => notebook)

it.each([...byNotebook])('ideas of %s leave, and say the same when they are read again', async (notebook, some) => {
  const names = some.map(({ name }) => name)
  const runs = await trained(withSmallStudy(notebook, names))
  expect(runs.map(({ run }) => run.variant)).toEqual(names)
  for (const [i, each] of runs.entries()) {
    for (const format of sample<FormatName>(['onnx', 'torch'], i % 2, 2)) {
      const { proof } = await exported(each, format)
      expect(proof.difference, `${each.run.variant} as ${format}`).toBeLessThan(1e-5)
    }
  }
})
