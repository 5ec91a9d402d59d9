import type { Tensor } from '@tensorflow/tfjs-core'
import { normal } from '../initialisers.ts'
import type { Size, TextPool } from '../types.ts'
import { dense } from './dense.ts'
import { dropout } from './dropout.ts'
import { layerNorm } from './layerNorm.ts'
import { firstToken, meanToken } from './tokens.ts'

export const pools = { first: firstToken, mean: meanToken } satisfies Record<string, TextPool>

// The norm has the name that it has before the logits of tokens, so that fine-tuning goes on with it.

/** Logits of the whole text: `[batch, tokens, dim]` to `[batch, classes]`. */
export function classHead(x: Tensor, { eps, dropout: rates }: Size, classes: number, pool: TextPool): Tensor {
  const y = dropout(pool(layerNorm(x, { name: 'norm', eps })), rates.head) // [batch, dim]
  return dense(y, classes, { name: 'classifier', weight: normal(0.02) })
}

/** Logits of where an answer starts and ends: `[batch, tokens, dim]` to `[batch, tokens, 2]`. */
export function spanHead(x: Tensor, { eps }: Size): Tensor {
  return dense(layerNorm(x, { name: 'norm', eps }), 2, { name: 'span', weight: normal(0.02) })
}
