import { tensorsOf } from './localityInjection.ts'
import type { NamedTensor } from './safetensors.ts'

/**
 * The weights of a ResMLP for inference, as `resmlpFolded` reads them: every Affine and LayerScale folded into the
 * linear maps beside it. Takes and gives tensors in the layout of files, under the names of timm. With Affine a, b,
 * LayerScale g, token matrix A, c and a following linear map W, k:
 *
 *     token_scale = g1 a1        token_bias[i] = g1 (c[i] + b1 sum_j A[i, j])
 *     fc1 = W1 diag(a2), k1 + W1 b2        fc2 = diag(g2) W2, g2 k2        head = H diag(a), k + H b
 */
export function foldAffine(tensors: NamedTensor[]): NamedTensor[] {
  const get = tensorsOf(tensors, 'ResMLP')
  const depth = tensors.filter(({ name }) => /^blocks\.\d+\.ls1$/.test(name)).length
  const blocks = Array.from({ length: depth }, (_, i) => foldBlock(`blocks.${i}.`, get))
  const head = foldInto(get('head.weight'), get('head.bias'), get('norm.alpha'), get('norm.beta'))
  return [get('stem.proj.weight'), get('stem.proj.bias'), ...blocks.flat(), ...head]
}

function foldBlock(path: string, get: (name: string) => NamedTensor): NamedTensor[] {
  const [alpha, beta, scale] = ['norm1.alpha', 'norm1.beta', 'ls1'].map((name) => get(path + name).values)
  const [matrix, bias] = [get(`${path}linear_tokens.weight`), get(`${path}linear_tokens.bias`).values]
  const [dim, tokens] = [scale?.length ?? 0, bias.length]
  const at = (values: ArrayLike<number> | undefined, i: number) => values?.[i] ?? 0

  const tokenBias = new Float32Array(tokens * dim)
  for (let i = 0; i < tokens; i++) {
    let sum = 0
    for (let j = 0; j < tokens; j++) sum += at(matrix.values, i * tokens + j)
    for (let c = 0; c < dim; c++) tokenBias[i * dim + c] = at(scale, c) * (at(bias, i) + at(beta, c) * sum)
  }
  const tokenScale = Float32Array.from({ length: dim }, (_, c) => at(scale, c) * at(alpha, c))

  const mlp = `${path}mlp_channels.`
  const [fc2, fc2Bias, outer] = [get(`${mlp}fc2.weight`), get(`${mlp}fc2.bias`), get(`${path}ls2`).values]
  const hidden = fc2.shape[1] ?? 1
  return [
    matrix,
    { name: `${path}token_scale`, shape: [dim], values: tokenScale },
    { name: `${path}token_bias`, shape: [tokens, dim], values: tokenBias },
    ...foldInto(get(`${mlp}fc1.weight`), get(`${mlp}fc1.bias`), get(`${path}norm2.alpha`), get(`${path}norm2.beta`)),
    { ...fc2, values: Float32Array.from(fc2.values, (w, i) => w * at(outer, Math.floor(i / hidden))) },
    { ...fc2Bias, values: Float32Array.from(fc2Bias.values, (k, i) => k * at(outer, i)) },
  ]
}

/** W and k of a linear map behind an Affine: W diag(alpha), k + W beta. */
function foldInto(weight: NamedTensor, bias: NamedTensor, alpha: NamedTensor, beta: NamedTensor): NamedTensor[] {
  const inputs = weight.shape[1] ?? 1
  const folded = Float32Array.from(weight.values, (w, i) => w * (alpha.values[i % inputs] as number))
  const shifted = Float32Array.from(bias.values, (k, row) => {
    let sum = k
    for (let i = 0; i < inputs; i++) sum += (weight.values[row * inputs + i] as number) * (beta.values[i] as number)
    return sum
  })
  return [
    { ...weight, values: folded },
    { ...bias, values: shifted },
  ]
}
