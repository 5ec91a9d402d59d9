import type * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { create, oneBlank } from '../../../engine/cost/trace.ts'
import { vit } from '../../../engine/models/index.ts'
import { block } from '../../../engine/nn/block.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block, Modality, Place } from '../../../engine/nn/types.ts'
import { tracing } from '../../../engine/trace/backend.ts'

const images = { shape: [1, 8, 16, 3] }

/** Names and shapes of the parameters of a model. */
function parametersOf(of: Block, spec = images, modality: Modality = 'image'): Promise<Record<string, number[]>> {
  const forward = assemble(of, resolveSize(of, { patch: 4, dim: 8, depth: 3 }, 'v'), modality, {
    inputs: 9,
    outputs: 5,
  })
  return tracing(() => {
    const { parameters } = create(forward, oneBlank(spec))
    return Object.fromEntries([...parameters.values()].map(({ name, shape }) => [name, shape]))
  })
}

describe('a block', () => {
  it('is told where it stands: its layer, and the tokens that it gets with their grid', async () => {
    const seen: (Place & { depth: number })[] = []
    const run = (x: tf.Tensor, { layer, tokens, grid, depth }: Place & { depth: number }) => {
      seen.push({ layer, tokens, grid, depth })
      return x
    }
    await parametersOf(block('asks', run))
    expect(seen).toEqual([0, 1, 2].map((layer) => ({ layer, depth: 3, tokens: 8, grid: [2, 4] })))
    seen.length = 0
    await parametersOf(block('behindToken', {}, run, { image: vit.frames.image as never }))
    expect(seen[0]).toEqual({ layer: 0, depth: 3, tokens: 9, grid: null })
  })
  it('gets an option of its own of such a name instead', async () => {
    const seen: unknown[] = []
    const own = block('own', { layer: 'none', grid: 7 }, (x, { layer, grid }) => {
      seen.push([layer, grid])
      return x
    })
    await parametersOf(own)
    expect(seen).toEqual(Array(3).fill(['none', 7]))
  })
})
