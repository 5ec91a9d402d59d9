import { expect, it, test } from 'vitest'
import { formulas, SLOTS } from '../../../engine/cost/formulas.ts'
import { blockCosts } from '../../../engine/diagram/sizes.ts'
import { externalUnit, gmlp, mixer, resmlp, resnet, vit } from '../../../engine/models/index.ts'
import { drawn } from '../diagram/models.ts'

const blocks = {
  gMLP: gmlp,
  'MLP-Mixer': mixer,
  ResMLP: resmlp,
  Transformer: vit({ heads: 2 }),
  'external attention': externalUnit({ slots: SLOTS }),
}

test.each(formulas.map((each) => [each.name, each] as const))(
  '%s costs what is counted of its block',
  async (name, { macs }) => {
    const costs = blockCosts(await drawn(name, blocks[name as keyof typeof blocks], 'image', 3))
    expect(costs?.sizes).toMatchObject({ width: 8, depth: 3 })
    expect(costs && costs.sizes.depth * macs(costs.sizes)).toBe(costs?.macs)
  },
)

it('knows no sizes of a model whose blocks have several', async () => {
  expect(blockCosts(await drawn('resnet', resnet({ width: 4, blocksPerStage: 1, depth: 0 })))).toBeNull()
})
