import { util } from '@tensorflow/tfjs-core'
import type { Operation, Use } from '../../../compile/graph.ts'
import { inputOf, made, outputOf, type Rewrite } from './operations.ts'

const ACTIVATIONS: Record<string, string> = {
  ...{ linear: 'Identity', relu: 'Relu', relu6: 'Relu6', elu: 'Elu', sigmoid: 'Sigmoid' },
  ...{ prelu: 'Prelu', leakyrelu: 'LeakyRelu' },
}

/** An operation, what is added to it, and its activation, which tfjs has as one. */
function withActivation(kernel: string): Rewrite {
  return (operation, fresh) => {
    const y = outputOf(operation)
    const { bias, preluActivationWeights: slope, ...inputs } = operation.inputs
    const { activation, leakyreluAlpha, ...attributes } = operation.attributes
    const [plain, added] = [fresh(y.shape), fresh(y.shape)]
    const follows = ACTIVATIONS[activation as string]
    if (!follows) throw new Error(`has the activation ${activation}, for which there is no shader`)
    return [
      { kernel, attributes, inputs, outputs: [plain] },
      bias ? made('Add', { a: plain, b: bias }, added) : made('Identity', { x: plain }, added),
      made(follows, slope ? { x: added, slope } : { x: added }, y, { alpha: leakyreluAlpha as number }),
    ]
  }
}

const batchNorm: Rewrite = (operation, fresh) => {
  const [x, mean, variance] = ['x', 'mean', 'variance'].map((name) => inputOf(operation, name)) as [Use, Use, Use]
  const { scale, offset } = operation.inputs
  const [eps, safe, by] = [fresh([]), fresh(variance.shape), fresh(variance.shape)]
  const [centred, normal, scaled] = [fresh(x.shape), fresh(x.shape), fresh(x.shape)]
  const y = outputOf(operation)
  return [
    made('Number', {}, eps, { value: operation.attributes.varianceEpsilon as number }),
    made('Add', { a: variance, b: eps }, safe),
    made('Rsqrt', { x: safe }, by),
    made('Sub', { a: x, b: mean }, centred),
    made('Multiply', { a: centred, b: by }, normal),
    scale ? made('Multiply', { a: normal, b: scale }, scaled) : made('Identity', { x: normal }, scaled),
    offset ? made('Add', { a: scaled, b: offset }, y) : made('Identity', { x: scaled }, y),
  ]
}

/** One or two tensors by the names of their axes: as a product, for which what only one of them has is added up first. */
const einsum: Rewrite = (operation, fresh) => {
  const [left, result] = (operation.attributes.equation as string).replaceAll(' ', '').split('->') as [string, string]
  const terms = left.split(',')
  const uses = Object.values(operation.inputs)
  const steps: Operation[] = []
  const lengths = new Map(terms.flatMap((term, i) => [...term].map((name, axis) => [name, uses[i]?.shape[axis] ?? 1])))
  const shapeOf = (names: string) => [...names].map((name) => lengths.get(name) as number)
  const sizeOfNames = (names: string) => util.sizeFromShape(shapeOf(names))
  /** The operand with only the axes that others need. */
  const needed = (i: number): { names: string; use: Use } => {
    const [names, use] = [terms[i] as string, uses[i] as Use]
    const others = result + terms.filter((_, other) => other !== i).join('')
    const own = [...names].filter((name) => others.includes(name)).join('')
    if (own.length === names.length) return { names, use }
    const sum = fresh(shapeOf(own), use.dtype)
    const axis = [...names].flatMap((name, at) => (others.includes(name) ? [] : [at]))
    steps.push(made('Sum', { x: use }, sum, { axis }))
    return { names: own, use: sum }
  }
  const transposed = (use: Use, from: string, to: string, y: Use) => {
    steps.push(
      made('Transpose', { x: { ...use, shape: shapeOf(from) } }, y, { perm: [...to].map((n) => from.indexOf(n)) }),
    )
  }
  const a = needed(0)
  if (terms.length === 1) {
    transposed(a.use, a.names, result, outputOf(operation))
    return steps
  }
  const b = needed(1)
  const of = (names: string, test: (name: string) => boolean) => [...names].filter(test).join('')
  const batch = of(a.names, (name) => b.names.includes(name) && result.includes(name))
  const inner = of(a.names, (name) => b.names.includes(name) && !result.includes(name))
  const rows = of(a.names, (name) => !b.names.includes(name))
  const columns = of(b.names, (name) => !a.names.includes(name))
  const turned = ({ names, use }: typeof a, to: string, second: string, third: string) => {
    const y = fresh(shapeOf(to))
    transposed(use, names, to, y)
    return { ...y, shape: [sizeOfNames(batch), sizeOfNames(second), sizeOfNames(third)] }
  }
  const [left3, right3] = [
    turned(a, batch + rows + inner, rows, inner),
    turned(b, batch + inner + columns, inner, columns),
  ]
  const product = fresh([sizeOfNames(batch), sizeOfNames(rows), sizeOfNames(columns)])
  steps.push(made('BatchMatMul', { a: left3, b: right3 }, product, { transposeA: false, transposeB: false }))
  transposed(product, batch + rows + columns, result, outputOf(operation))
  return steps
}

/** Operations that tfjs has as one, as those that they are made of. */
export const composed: Record<string, Rewrite> = {
  _FusedMatMul: withActivation('BatchMatMul'),
  FusedConv2D: withActivation('Conv2D'),
  FusedDepthwiseConv2D: withActivation('DepthwiseConv2dNative'),
  FusedBatchNorm: batchNorm,
  Einsum: einsum,
}
