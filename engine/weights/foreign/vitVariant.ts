import { slice } from '@tensorflow/tfjs-core'
import { vit } from '../../models/index.ts'
import { addPositions, block, dense, firstToken, layerNorm, mean, patchEmbed, prependToken } from '../../nn/index.ts'

interface Options {
  heads: number
  qkvBias: boolean
  /** Whether there is a class token, and what stands for the picture: it, or the mean of the patches. */
  classToken: boolean
  pool: 'token' | 'mean'
  /** Whether the class token has a position. */
  positions: 'all' | 'patches'
  /** Whether the last norm comes before the pooling, as `norm`, or after it, as `fc_norm`. */
  lastNorm: 'norm' | 'fc_norm'
}

const defaults: Options = {
  heads: 4,
  qkvBias: true,
  classToken: true,
  pool: 'token',
  positions: 'all',
  lastNorm: 'norm',
}

/** ViT as published weights have it, to be read: timm's options `class_token`, `global_pool`, `no_embed_class`, `fc_norm`. */
export const vitVariant = block('vit_variant', defaults, vit.run, {
  image: {
    stem: (images, { patch, dim, classToken, positions }) => {
      const x = patchEmbed(images, patch, dim, { name: 'patch_embed.proj' }) // [batch, tokens, dim]
      if (!classToken) return addPositions(x, 'pos_embed')
      if (positions === 'patches') return prependToken(addPositions(x, 'pos_embed'), 'cls_token')
      return addPositions(prependToken(x, 'cls_token'), 'pos_embed')
    },
    head: (x, { eps, classToken, pool, lastNorm }, classes) => {
      const norm = (y: typeof x) => layerNorm(y, { name: lastNorm, eps })
      const y = lastNorm === 'norm' ? norm(x) : x
      const [batch, tokens, dim] = y.shape as [number, number, number]
      const patches = classToken ? slice(y, [0, 1, 0], [batch, tokens - 1, dim]) : y
      const pooled = pool === 'token' ? firstToken(y) : mean(patches, 1) // [batch, dim]
      return dense(lastNorm === 'fc_norm' ? norm(pooled) : pooled, classes, { name: 'head' })
    },
  },
})
