import { beforeAll, expect, it } from 'vitest'
import { registerGradients } from '../../../../engine/gradients/register.ts'
import type { Block, Modality } from '../../../../engine/nn/types.ts'
import { recordedUses } from '../../../../engine/study/gradients/check.ts'
import { ideas, small } from '../../../experiments/gallery/ideas.ts'
import { LONG } from '../../../long.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { tiny, tinyModel } from '../../models/tiny.ts'
import { wrongIn } from './wrongIn.ts'

onSimd()
beforeAll(registerGradients)

const blocks: [name: string, block: Block, modality: Modality][] = [
  ...tiny,
  ...ideas.map((idea): (typeof blocks)[number] => [`${idea.name} of the gallery`, small(idea), 'image']),
]

const tried = blocks.filter((_, i) => LONG || i % 15 === 0)

// as if all of it were code of a cell; the cells of the ready notebooks are checked in tests/experiments/notebooks.test.ts
it.each(tried)('no gradient of %s is called wrong', async (_, block, modality) => {
  const model = tinyModel(block, modality)
  const input = {
    image: { shape: [1, 16, 16, 3] },
    text: { shape: [1, 12], dtype: 'int32' as const },
    features: { shape: [1, 10, 3] },
  }[modality]
  const uses = await recordedUses({ model, input }, () => 'a:1')
  expect(uses?.missing).toBe(null)
  expect(uses?.kernels.length).toBeGreaterThan(5)
  expect(await wrongIn(uses?.kernels ?? [])).toEqual([])
  model.dispose()
})
