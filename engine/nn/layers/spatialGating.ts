import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError, suggest } from '../../errors.ts'
import { lecunNormal, nearZero, ones, zeros } from '../initialisers.ts'
import { add, mul, split } from '../ops.ts'
import { scope } from '../scope.ts'
import { layerNorm } from './layerNorm.ts'
import { type TokenDenseOptions, tokenDense } from './tokenDense.ts'

/** s(Z) of "Pay Attention to MLPs", table 3, from the bypass u and the projection f, with initial values of W and b. */
const gates = {
  linear: { join: (_: Tensor, f: Tensor) => f, weight: lecunNormal, bias: zeros },
  additive: { join: add, weight: nearZero, bias: zeros },
  multiplicative: { join: mul, weight: nearZero, bias: ones },
  split: { join: mul, weight: nearZero, bias: ones },
}

export type Gate = keyof typeof gates

export interface SpatialGatingOptions {
  name?: string
  gate?: Gate
  spatial?: TokenDenseOptions['structure']
  /** Whether the gate of a token reads no token after it. */
  causal?: boolean
  /** eps of the LayerNorm inside; 1e-5 as in timm. */
  eps?: number
  /** Added to the projection before the gate, `[batch, tokens, width of the gate]`: the tiny attention of aMLP. */
  plus?: Tensor | undefined
  /** Kernels of convolutions beside a dense W; see tokenDense. Their scales start at 0, so that the gate starts as u * 1. */
  locality?: readonly number[] | undefined
}

/**
 * Spatial gating unit: u * (W LN(v) + b) for the halves u, v of x, W over tokens: `[batch, tokens, ffn]` to
 * `[batch, tokens, ffn / 2]`; the other gates take all of x as u and as v. Starts as u * 1 (section 2.1).
 * Throws MixlabError `option` for an unknown gate.
 */
export function spatialGating(x: Tensor, options: SpatialGatingOptions = {}): Tensor {
  const { name, gate = 'split', spatial = 'dense', causal = false, eps = 1e-5, plus, locality } = options
  if (!Object.hasOwn(gates, gate)) {
    throw new MixlabError('option', 'gate', `unknown gate '${gate}'${suggest(gate, Object.keys(gates))}`)
  }
  const { join, weight, bias } = gates[gate]
  return scope('gate', name, () => {
    const [u, v] = gate === 'split' ? split(x, 2) : [x, x]
    const local = { locality, localScale: zeros }
    const f = tokenDense(layerNorm(v, { eps }), { name: 'proj', weight, bias, structure: spatial, causal, ...local })
    return join(u, plus ? add(f, plus) : f)
  })
}
