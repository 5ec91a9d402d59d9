import { backend_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import { attribute, input, one, type Rules, type ShapeRule } from '../rule.ts'

/** `[..., m, k]` times `[..., k, n]`, either transposed, batch axes broadcast: m n k multiply-adds each. */
const matMul: ShapeRule = (inputs, { transposeA, transposeB }) => {
  const { shape: left, dtype } = input(inputs, 'a')
  const { shape: right } = input(inputs, 'b')
  const [m, k] = (transposeA ? [left.at(-1), left.at(-2)] : [left.at(-2), left.at(-1)]) as [number, number]
  const [inner, n] = (transposeB ? [right.at(-1), right.at(-2)] : [right.at(-2), right.at(-1)]) as [number, number]
  util.assert(k === inner, () => `matMul: the inner lengths of [${left}] and [${right}] differ`)
  const batch = backend_util.assertAndGetBroadcastShape(left.slice(0, -2), right.slice(0, -2))
  return one([...batch, m, n], dtype, util.sizeFromShape(batch) * m * n * k)
}

/**
 * A sum of products by subscripts, e.g. `bij,bjk->bik`: a multiply-add for each combination of subscripts. What does
 * nothing, e.g. `ij->ij`, gives its operand.
 */
const einsum: ShapeRule = (inputs, attributes) => {
  const [terms, result] = attribute<string>(attributes, 'equation').replace(/\s/g, '').split('->') as [string, string]
  const operands = Object.values(inputs) as TensorInfo[]
  const lengths = new Map<string, number>()
  for (const [i, term] of terms.split(',').entries()) {
    for (const [axis, subscript] of [...term].entries()) lengths.set(subscript, operands[i]?.shape[axis] as number)
  }
  const shape = [...result].map((subscript) => lengths.get(subscript) as number)
  const macs = operands.length > 1 ? util.sizeFromShape([...lengths.values()]) : 0
  return { ...one(shape, operands[0]?.dtype, macs), view: terms === result }
}

/** Products of matrices. */
export const products: Rules = {
  BatchMatMul: matMul,
  _FusedMatMul: matMul,
  Einsum: einsum,
}
