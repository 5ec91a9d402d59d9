import type { Tensor } from '@tensorflow/tfjs-core'
import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { copyOf } from '../options.ts'
import { normal, zeros } from './initialisers.ts'
import { firstSize, type Layer, layersOf, merged } from './layerList.ts'
import { dense } from './layers/dense.ts'
import { dropout } from './layers/dropout.ts'
import { embedding, tiedLogits } from './layers/embedding.ts'
import { layerNorm } from './layers/layerNorm.ts'
import { patchEmbed } from './layers/patchEmbed.ts'
import { tokenGridOf } from './layers/tokenGrid.ts'
import { firstToken, meanToken, tokensAt } from './layers/tokens.ts'
import type { Forward } from './model.ts'
import { framed } from './ownEnds.ts'
import { currentPass, scope } from './scope.ts'
import type { Block, Frame, Modality, OutputHead, Place, Size, TextPool } from './types.ts'

/** Options of the usual text model. */
export interface TextOptions {
  /** Whether the output is the product with the embedding table. */
  tied?: boolean
  /** Whether a tied output has a bias. */
  headBias?: boolean
}

/** The usual frames: those of gMLP and Mixer. */
export const usualFrames: { image: Frame; text: Frame<TextOptions>; features: Frame } = {
  image: {
    stem: (images, { patch, dim }) => patchEmbed(images, patch, dim, { name: 'stem.proj' }), // [batch, tokens, dim]
    head: (x, { eps, dropout: rates }, classes) => {
      const y = dropout(tf.mean(layerNorm(x, { name: 'norm', eps }), 1), rates.head) // [batch, dim]
      return dense(y, classes, { name: 'head', weight: zeros })
    },
  },
  text: {
    stem: (ids, { dim, dropout: rates }, vocabulary) =>
      dropout(embedding(ids, vocabulary, dim, { name: 'embed', weight: normal(0.02) }), rates.embedding),
    head: (x, { eps, tied = true, headBias = false }, vocabulary) => {
      const y = layerNorm(x, { name: 'norm', eps })
      if (!tied) return dense(y, vocabulary, { name: 'head' })
      return tiedLogits(y, 'embed.weight', vocabulary, headBias ? 'head.bias' : undefined)
    },
  },
  features: {
    stem: (x, { dim }) => (x.shape.at(-1) === dim ? x : dense(x, dim, { name: 'stem' })), // [batch, tokens, dim]
    head: (x, { eps, dropout: rates }, classes) =>
      dense(dropout(tf.mean(layerNorm(x, { name: 'norm', eps }), 1), rates.head), classes, { name: 'head' }),
  },
}

/** What goes into a model and what comes out. */
export interface Ends {
  /** The vocabulary of a text model, else not used. */
  inputs?: number
  /** Classes, or the vocabulary. */
  outputs: number
  /** Text only: logits of each token, of the whole text, or of where an answer starts and ends; or what the task has instead. */
  head?: 'tokens' | 'class' | 'span' | OutputHead
  /** Shape of the prediction for an example, where a cell says it. */
  shape?: readonly number[]
  /** What stands for the whole text: its first token or the mean of all. */
  pool?: keyof typeof pools
}

/** The whole model: stem, blocks, head. */
export function assemble(block: Block, size: Size, modality: Modality, ends: Ends): Forward {
  const { inputs = 0, outputs, head = 'tokens', pool = 'first' } = ends
  const frame = framed(block.ends, block.frames[modality] ?? usualFrames[modality])
  const path = frame.path ?? ((i: number) => `blocks.${i}`)
  const first = firstSize(block, { ...size, modality })
  return (input, extras = {}) => {
    const layers = layersOf(block, { ...size, modality }) // not before it runs: a file may ask for any number
    const { dim, ffn, ffnRatio } = layers.at(-1)?.size ?? first
    const last = copyOf({ ...first, dim, ffn, ffnRatio })
    currentPass('model').mask = extras.mask
    // code gets copies of sizes, so that none changes what another is given
    let x = frame.stem(input, copyOf(first), inputs, { ...extras })
    let at = { stage: 0, index: -1 }
    for (const [i, layer] of layers.entries()) {
      at = layer.merge ? { stage: layer.merge.stage, index: 0 } : { ...at, index: at.index + 1 }
      if (layer.merge) x = merged(x, layer.merge, sizeOf(layer, i, x), frame.mergePath?.(at.stage))
      currentPass('model').dropPath = dropPathAt(i, layer.size)
      if (skips(i)) continue
      const y = scope('blocks', path(i, at), () => layer.block.run(x, sizeOf(layer, i, x)))
      checkBlock(layers, i, x, y)
      currentPass('model').onBlock?.(i, x, y)
      x = y
    }
    if (extras.positions) x = tokensAt(x, extras.positions)
    if (typeof head === 'function') return shaped((block.ends.head?.run ?? head)(x, last, outputs), x, ends)
    if (head === 'class') return shaped((frame.classHead ?? classHead)(x, last, outputs, pools[pool]), x, ends)
    if (head === 'span') return (frame.spanHead ?? spanHead)(x, last)
    return shaped(frame.head(x, last, outputs), x, ends)
  }
}

/** Whether block `i` does nothing in this pass. */
function skips(i: number): boolean {
  const { ablated } = currentPass('model')
  return ablated !== undefined && 'block' in ablated && ablated.block === i
}

/** What a head gave of `x`, a number for an example as `[batch]`. Throws MixlabError `option` for another shape than the task's. */
function shaped(y: Tensor, x: Tensor, { shape }: Ends): Tensor {
  if (!shape) return y
  const wanted = [x.shape[0] as number, ...shape]
  if (shape.length === 0 && y?.shape?.join() === [...wanted, 1].join()) return tf.reshape(y, wanted)
  if (y?.shape?.join() === wanted.join()) return y
  const returned = y?.shape ? `[${y.shape.join(', ')}]` : 'no tensor'
  throw new MixlabError('option', 'head', `returned ${returned}, but the task takes [${wanted.join(', ')}]`)
}

/** Throws MixlabError `option` unless block `i` gave what it got, which is what the next one takes. */
function checkBlock(layers: readonly Layer[], i: number, x: Tensor, y: Tensor): void {
  if (y?.shape?.join() === x.shape.join()) return
  const returned = `returned ${y?.shape ? `[${y.shape}]` : 'no tensor'}`
  const [own, next] = [layers[i]?.block, layers[i + 1]?.block]
  const isOther = next && next.blockName !== own?.blockName
  const what = isOther
    ? `${returned} in layer ${i}, but block '${next.blockName}' of layer ${i + 1} takes [${x.shape}]`
    : `${returned}, expected [${x.shape}] as it got`
  throw new MixlabError('option', `block '${own?.blockName}'`, what)
}

/** The size of block `i`, which gets `x`, and where it stands. */
function sizeOf({ size }: Layer, layer: number, x: Tensor): Place & Layer['size'] {
  const tokens = x.shape[1] ?? 1
  return copyOf({ layer, tokens, grid: tokenGridOf(tokens), ...size })
}

/** Drop-path rate of block `i`. */
function dropPathAt(i: number, { depth, dropPath, dropPathDecay }: Size): number {
  return dropPathDecay === 'constant' ? dropPath : (dropPath * i) / Math.max(1, depth - 1)
}

const pools = { first: firstToken, mean: meanToken } satisfies Record<string, TextPool>

// The norm has the name that it has before the logits of tokens, so that fine-tuning goes on with it.

/** Logits of the whole text: `[batch, tokens, dim]` to `[batch, classes]`. */
function classHead(x: Tensor, { eps, dropout: rates }: Size, classes: number, pool: TextPool): Tensor {
  const y = dropout(pool(layerNorm(x, { name: 'norm', eps })), rates.head) // [batch, dim]
  return dense(y, classes, { name: 'classifier', weight: normal(0.02) })
}

/** Logits of where an answer starts and ends: `[batch, tokens, dim]` to `[batch, tokens, 2]`. */
function spanHead(x: Tensor, { eps }: Size): Tensor {
  return dense(layerNorm(x, { name: 'norm', eps }), 2, { name: 'span', weight: normal(0.02) })
}
