import { type Graph, type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { coordinates, equal, type Index, linear, plus, scaled, whole } from '../wgsl/digits.ts'
import { axesOf, type Fresh } from './operations.ts'
import { untransposed } from './views.ts'

/**
 * Sums over rows that another kernel adds up on its way: the bias gradient of a layer beside its weight gradient, which
 * reads the same numbers, and weight and bias gradients of a LayerNorm. `BatchMatMul` then has a second output, `[n]`, and
 * the attribute `sumsOf`; `LayerNormGrad` becomes `NormGrad`, whose second and third outputs are `[dim]`.
 */
export function columnSums(graph: Pick<Graph, 'operations'>, fresh: Fresh): Operation[] {
  const gone = new Set<Operation>()
  const changed = new Map<Operation, Operation>()
  const makers = new Map(graph.operations.flatMap((each) => each.outputs.map(({ value }) => [value, each] as const)))
  const sums = graph.operations.filter(({ kernel }) => kernel === 'Sum')
  const firstReader = new Map<number, number>()
  for (const [at, { inputs }] of graph.operations.entries()) {
    for (const { value } of Object.values(inputs)) if (!firstReader.has(value)) firstReader.set(value, at)
  }
  /** Whether all that reads a sum comes after the operation at `at`. */
  const isReadAfter = ({ outputs }: Operation, at: number) =>
    (firstReader.get(outputs[0]?.value as number) ?? Number.POSITIVE_INFINITY) > at
  for (const [at, operation] of graph.operations.entries()) {
    if (operation.kernel === 'LayerNormGrad') {
      const [dx, weights, biases] = operation.outputs as [Use, Use, Use]
      const outputs = [weights, biases].map((each) => {
        const own = sums.filter(({ inputs }) => inputs.x?.value === each.value)
        for (const sum of own) gone.add(sum)
        const [found, ...others] = own.map((sum) => sum.outputs[0] as Use)
        if (others.length > 0) throw new Error('sums the gradients of a norm twice')
        return found ?? fresh([each.shape.at(-1) as number])
      })
      changed.set(operation, { ...operation, kernel: 'NormGrad', outputs: [dx, ...outputs] })
    }
    if (operation.kernel !== 'BatchMatMul' || operation.outputs[0]?.shape.length !== 2) continue
    const { transposeA, transposeB } = operation.attributes
    const sumOf = (name: string, transposed: boolean) =>
      sums.find(
        (sum) =>
          !gone.has(sum) &&
          isReadAfter(sum, at) &&
          isSumOfTerms(sum, operation.inputs[name] as Use, transposed, makers),
      )
    const ofB = sumOf('b', transposeB === true)
    const found = ofB ?? sumOf('a', transposeA !== true)
    if (!found) continue
    gone.add(found)
    const attributes = { ...operation.attributes, sumsOf: ofB ? 'b' : 'a' }
    changed.set(operation, { ...operation, attributes, outputs: [operation.outputs[0], found.outputs[0] as Use] })
  }
  return graph.operations.filter((each) => !gone.has(each)).map((each) => changed.get(each) ?? each)
}

/** Whether `sum` adds up a factor, or what that is a view of, over the terms of the product: the first axis, or the last. */
function isSumOfTerms(sum: Operation, factor: Use, last: boolean, makers: Map<number, Operation>): boolean {
  const x = sum.inputs.x as Use
  const [first, second] = factor.shape as [number, number]
  const n = last ? first : second
  if (sizeOf(x) !== sizeOf(factor) || sizeOf(sum.outputs[0] as Use) !== n) return false
  const column = whole({ name: 'n', size: n })
  const term = whole({ name: 'k', size: last ? second : first })
  let index: Index = last ? plus(scaled(column, second), term) : plus(scaled(term, n), column)
  let { value } = factor
  for (let maker = makers.get(value); value !== x.value; maker = makers.get(value)) {
    if (maker?.kernel !== 'Transpose') return false
    index = untransposed(index, maker.attributes.perm as number[], (maker.outputs[0] as Use).shape)
    value = (maker.inputs.x as Use).value
  }
  const axes = axesOf(sum)
  const at = coordinates(index, x.shape)
  const kept = [...x.shape.keys()].filter((axis) => !axes.includes(axis))
  const place = linear(
    kept.map((axis) => at[axis] as Index),
    kept.map((axis) => x.shape[axis] as number),
  )
  return equal(place, column)
}
