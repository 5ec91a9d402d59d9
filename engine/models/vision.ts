import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import type { Block } from '../nn/block.ts'
import { dense, layerNorm, mean, patchEmbed, zeros } from '../nn/index.ts'
import type { Forward } from '../nn/model.ts'
import { currentPass, scope } from '../nn/scope.ts'
import type { Size } from '../nn/size.ts'

/** Patches, `depth` blocks, LayerNorm, mean over tokens, linear head: `[batch, h, w, c]` to `[batch, classes]`. */
export function visionModel(block: Block, size: Size, classes: number): Forward {
  return (images) => {
    let x = patchEmbed(images, size.patch, size.dim, { name: 'stem.proj' }) // [batch, tokens, dim]
    for (let i = 0; i < size.depth; i++) {
      currentPass('blocks').dropPath = dropPathAt(i, size)
      x = scope('blocks', `blocks.${i}`, () => runBlock(block, x, size))
    }
    x = layerNorm(x, { name: 'norm' })
    return dense(mean(x, 1), classes, { name: 'head', weight: zeros })
  }
}

function runBlock(block: Block, x: Tensor, size: Size): Tensor {
  const y = block.run(x, size)
  if (y?.shape?.join() !== x.shape.join()) {
    const returned = y?.shape ? `[${y.shape}]` : 'no tensor'
    throw new MixlabError(
      'option',
      `block '${block.blockName}'`,
      `returned ${returned}, expected [${x.shape}] as it got`,
    )
  }
  return y
}

/** Drop-path rate of block `i`. */
function dropPathAt(i: number, { depth, dropPath, dropPathDecay }: Size): number {
  return dropPathDecay === 'constant' ? dropPath : (dropPath * i) / Math.max(1, depth - 1)
}
