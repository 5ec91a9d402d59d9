import { type Constant, type Graph, type Operation, readersOf, sizeOf, type Use } from '../../../compile/graph.ts'
import { columnSums } from './columnSums.ts'
import { compared } from './compared.ts'
import { composed } from './composed.ts'
import { convolutions } from './convolutions.ts'
import { created } from './creation.ts'
import { dilations } from './dilations.ts'
import { moves } from './moves.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite, sizesOf } from './operations.ts'
import { pools } from './pools.ts'
import { resizes } from './resizes.ts'
import { responses } from './responses.ts'
import { ordered } from './segments.ts'
import { sumsOfProducts } from './sumsOfProducts.ts'
import { axisOf } from './views.ts'
import { volumes } from './volumes.ts'

/** The graph in the few operations that there are kernels for: see anchors.ts, maps.ts and views.ts. */
export function rewrite(recorded: Graph): Graph {
  const { operations: computed, constants } = created(recorded.operations)
  const graph = { ...recorded, operations: computed, constants: [...recorded.constants, ...constants] }
  let { values } = graph
  const fresh: Fresh = (shape, dtype = 'float32') => ({ value: values++, shape, dtype })
  const sums = columnSums({ operations: sumsOfProducts(graph, fresh) }, fresh)
  const segments = ordered(graph.constants, fresh)
  const shares: Constant[] = []
  const constant = (values: Float32Array, shape: number[]) => {
    const use = fresh(shape)
    shares.push({ use, values })
    return use
  }
  const rules: Record<string, Rewrite> = { ...RULES, ...resizes(constant), ...responses(constant), ...segments.rules }
  const simpler = (operation: Operation): Operation[] => {
    const parts = rules[operation.kernel]?.(operation, fresh) ?? [operation]
    return parts[0] === operation ? parts : parts.flatMap(simpler)
  }
  const operations = sums.flatMap(simpler)
  const turned = turnProducts(operations, new Set(Object.values(graph.outputs).map(({ value }) => value)))
  const inside = new Set(turned.flatMap(({ inputs }) => Object.values(inputs).map(({ value }) => value)))
  return {
    ...graph,
    operations: turned.flatMap((operation) => inParts(operation, inside, fresh)),
    constants: [...segments.constants(), ...shares],
    values,
    backward: 0,
  }
}

const RULES: Record<string, Rewrite> = {
  ...convolutions,
  ...pools,
  ...dilations,
  ...volumes,
  ...compared,
  ...composed,
  ...moves,
  /** The normalised rows, and the affine part by itself, which is folded into whatever reads it. */
  LayerNorm: (operation, fresh) => {
    const [y, value, scale] = operation.outputs as [Use, Use, Use]
    const product = fresh(y.shape)
    const { attributes } = operation
    return [
      { kernel: 'NormRows', attributes, inputs: { x: inputOf(operation, 'x') }, outputs: [value, scale] },
      made('Multiply', { a: value, b: inputOf(operation, 'weight') }, product),
      made('Add', { a: product, b: inputOf(operation, 'bias') }, y),
    ]
  },
  Mean: (operation, fresh) => {
    const [given, y] = [inputOf(operation, 'x'), outputOf(operation)]
    const [x, sum] = [fresh(given.shape), fresh(y.shape)]
    const by = sizeOf(y) / sizeOf(given)
    const isFloat = given.dtype === 'float32'
    return [
      ...(isFloat ? [] : [made('Cast', { x: given }, x, { dtype: 'float32' })]),
      { ...operation, kernel: 'Sum', inputs: { x: isFloat ? given : x }, outputs: [sum] },
      made('Scale', { x: sum }, y, { by }),
    ]
  },
  /** Of values of one type. */
  Select: (operation, fresh) => {
    const { dtype } = outputOf(operation)
    const { condition, t, e } = operation.inputs as Record<'condition' | 't' | 'e', Use>
    const casts: Operation[] = []
    const cast = (x: Use): Use => {
      if (x.dtype === dtype) return x
      const y = fresh(x.shape, dtype)
      casts.push(made('Cast', { x }, y, { dtype }))
      return y
    }
    const inputs = { condition, t: cast(t), e: cast(e) }
    return casts.length === 0 ? [operation] : [...casts, { ...operation, inputs }]
  },
  SplitV: (operation) => {
    const axis = axisOf(operation)
    let from = 0
    return operation.outputs.map((part) => {
      const begin = part.shape.map((_, at) => (at === axis ? from : 0))
      from += part.shape[axis] as number
      return made('Slice', { x: inputOf(operation, 'x') }, part, { begin, size: part.shape })
    })
  },
  Unpack: (operation) => {
    const x = inputOf(operation, 'value')
    const axis = axisOf(operation, x.shape.length)
    return operation.outputs.map((part, i) => {
      const whole = { ...part, shape: x.shape.with(axis, 1) }
      const begin = x.shape.map((_, at) => (at === axis ? i : 0))
      return made('Slice', { x }, whole, { begin, size: whole.shape })
    })
  },
  Pack: (operation) => {
    const axis = axisOf(operation)
    const inputs = Object.entries(operation.inputs).map(([name, x]) => [
      name,
      { ...x, shape: x.shape.toSpliced(axis, 0, 1) },
    ])
    return [{ ...operation, kernel: 'Concat', inputs: Object.fromEntries(inputs) }]
  },
}

/** The transposition of a product is the product of the transposed factors in the other order. */
function turnProducts(operations: Operation[], outputs: Set<number>): Operation[] {
  const readers = readersOf(operations)
  const gone = new Set<Operation>()
  return operations.flatMap((operation) => {
    if (gone.has(operation)) return []
    if (operation.kernel !== 'BatchMatMul') return [operation]
    const [reader, ...others] = readers.get(outputOf(operation).value) ?? []
    if (!reader || others.length > 0 || outputs.has(outputOf(operation).value) || !swapsLast(reader, operation))
      return [operation]
    const { transposeA, transposeB, sumsOf, ...attributes } = operation.attributes
    gone.add(reader)
    return [
      {
        ...operation,
        attributes: {
          ...attributes,
          transposeA: !transposeB,
          transposeB: !transposeA,
          ...(sumsOf ? { sumsOf: sumsOf === 'a' ? 'b' : 'a' } : {}),
        },
        inputs: { a: inputOf(operation, 'b'), b: inputOf(operation, 'a') },
        outputs: operation.outputs.with(0, outputOf(reader)),
      },
    ]
  })
}

function swapsLast({ kernel, attributes, inputs }: Operation, product: Operation): boolean {
  const rank = inputs.x?.shape.length ?? 0
  const perm = attributes.perm as number[]
  const whole = inputs.x?.shape.join() === outputOf(product).shape.join() // rows may have been split since
  return kernel === 'Transpose' && whole && perm.every((from, to) => from === (to < rank - 2 ? to : 2 * rank - 3 - to))
}

/** Sums of many terms are split so that the tiles of a product, or the rows of a norm, make about so many workgroups. */
const SPLIT_WORKGROUPS = 128

/**
 * Where few elements are sums of many terms, the terms in parts, which the operations that read the sums add up. Plain sums that
 * are read by other operations, those `inside`, stay whole: what follows is then done in their kernel.
 */
function inParts(operation: Operation, inside: Set<number>, fresh: Fresh): Operation[] {
  const isRead = inside.has(outputOf(operation).value)
  const parts = operation.kernel === 'Sum' && isRead ? 1 : partsOf(operation)
  if (parts === 1 && !operation.attributes.sumsOf && operation.kernel !== 'NormGrad') return [operation]
  const kept = operation.kernel === 'NormGrad' ? 1 : 0 // the gradient of the rows is no sum
  const whole = operation.outputs.slice(kept)
  const partial = whole.map(({ shape, dtype }) => fresh([parts, ...shape], dtype))
  const sums = whole.map((y, i) => made('PartSum', { x: partial[i] as Use }, y, { parts }))
  const outputs = [...operation.outputs.slice(0, kept), ...partial]
  return [{ ...operation, attributes: { ...operation.attributes, parts }, outputs }, ...sums]
}

/** Rows of a norm whose gradients one workgroup adds up. */
function normRows(rows: number): number {
  return Math.max(1, Math.min(64, 2 ** Math.floor(Math.log2(Math.max(1, rows / SPLIT_WORKGROUPS)))))
}

function partsOf(operation: Operation): number {
  if (operation.kernel === 'BatchMatMul') {
    const { batch, m, n, k } = sizesOf(operation)
    const tiles = batch * Math.ceil(m / 64) * Math.ceil(n / 64)
    return Math.max(1, Math.min(32, Math.floor(SPLIT_WORKGROUPS / tiles), Math.floor(k / 256)))
  }
  if (operation.kernel === 'NormGrad') {
    const rows = sizeOf(inputOf(operation, 'scale'))
    return Math.ceil(rows / normRows(rows))
  }
  if (operation.kernel !== 'Sum' || outputOf(operation).dtype !== 'float32') return 1
  const y = sizeOf(outputOf(operation))
  const terms = sizeOf(inputOf(operation, 'x')) / Math.max(1, y)
  return Math.max(1, Math.min(64, Math.floor((64 * 32) / Math.max(32, y)), Math.floor(terms / 256)))
}
