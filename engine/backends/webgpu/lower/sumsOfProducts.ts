import { type Graph, type Operation, readersOf, sizeOf, type Use } from '../../../compile/graph.ts'
import { axesOf, type Fresh, inputOf, made, outputOf, sizesOf } from './operations.ts'

/**
 * The sum of products that lie side by side, such as the gradient of weights that all examples share, is one product with
 * all their terms. Its factors are views.
 */
export function sumsOfProducts(
  { operations, outputs }: Pick<Graph, 'operations' | 'outputs'>,
  fresh: Fresh,
): Operation[] {
  const kept = new Set(Object.values(outputs).map(({ value }) => value))
  const readers = readersOf(operations)
  const gone = new Map<Operation, Operation>()
  for (const operation of operations) {
    if (operation.kernel !== 'BatchMatMul' || outputOf(operation).shape.length < 3) continue
    const { value, shape } = outputOf(operation)
    const [sum, ...others] = readers.get(value) ?? []
    const alike = [inputOf(operation, 'a'), inputOf(operation, 'b')].every(
      (factor) => factor.shape.slice(0, -2).join() === shape.slice(0, -2).join(),
    )
    if (sum?.kernel !== 'Sum' || others.length > 0 || kept.has(value) || !alike) continue
    if (inputOf(sum, 'x').shape.join() !== shape.join()) continue
    if (
      axesOf(sum).toSorted().join() ===
      shape
        .slice(0, -2)
        .map((_, axis) => axis)
        .join()
    )
      gone.set(sum, operation)
  }
  const products = new Set(gone.values())
  return operations.flatMap((operation) => {
    if (products.has(operation)) return []
    const product = gone.get(operation)
    return product ? joined(product, outputOf(operation), fresh) : [operation]
  })
}

/** One product of the factors with the terms of all, `[m, batch * k]` by `[batch * k, n]`. */
function joined(product: Operation, y: Use, fresh: Fresh): Operation[] {
  const { batch, m, n, k } = sizesOf(product)
  const { transposeA, transposeB } = product.attributes
  const lines = (name: 'a' | 'b', count: number, termsLast: boolean): [Operation, Use] => {
    const shape = termsLast ? [batch, count, k] : [batch, k, count]
    const x = { ...inputOf(product, name), shape }
    const perm = termsLast ? [1, 0, 2] : [2, 0, 1]
    const turned = fresh([count, batch, k])
    return [made('Transpose', { x }, turned, { perm }), { ...turned, shape: [count, sizeOf(x) / count] }]
  }
  const [first, a] = lines('a', m, !transposeA)
  const [second, b] = lines('b', n, transposeB === true)
  const attributes = { ...product.attributes, transposeA: false, transposeB: true }
  return [first, second, { ...product, attributes, inputs: { a, b }, outputs: [{ ...y, shape: [m, n] }] }]
}
