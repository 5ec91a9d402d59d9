import { backend_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import { type Four, type Loop, shareLoop } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'

/** Rows that are summed in float32, one after the other, before their sums are. */
const ROWS = 1024

/** Reduces the middle axis of `[outer, reduced, inner]` at `x` into `out`. */
type Reduce = (backend: SimdBackend, x: number, out: number, outer: number, reduced: number, inner: number) => void

/** What reduces all runs but the last, and the last. */
type Steps = [first: Reduce, last: Reduce]

/**
 * Neighbouring axes that are all reduced, or all kept; the first stands alone. So the sum over a batch is that of the
 * sums of its examples, also in a compiled program, which has them one after the other.
 */
type Run = [size: number, reduced: boolean]

function runs(shape: number[], axes: number[]): Run[] {
  const result: Run[] = []
  let first = true
  shape.forEach((size, axis) => {
    if (size === 1) return
    const reduced = axes.includes(axis)
    const last = result.at(-1)
    if (last && last[1] === reduced && !first) last[0] *= size
    else result.push([size, reduced])
    first = axis === 0
  })
  return result
}

/** Reduces run after run from the last, so that the rest stays in order: with `first`, and the last one with `last`. */
function reduceRuns(backend: SimdBackend, [first, last]: Steps, x: number, out: number, parts: Run[]): void {
  const at = parts.findLastIndex(([, reduced]) => reduced)
  const product = (some: Run[]) => some.reduce((size, [n]) => size * n, 1)
  const left = parts.toSpliced(at, at < 0 ? 0 : 1)
  const sizes = [product(parts.slice(0, Math.max(at, 0))), parts[at]?.[0] ?? 1, product(parts.slice(at + 1))] as const
  if (left.some(([, reduced]) => reduced)) {
    backend.withScratch(4 * product(left), (scratch) => {
      first(backend, x, scratch, ...sizes)
      reduceRuns(backend, [first, last], scratch, out, left)
    })
  } else last(backend, x, out, ...sizes)
}

/** The loop of a reduction: over the outer and inner axis, at each of whose indices `reduced` elements become one. */
function loopOf(x: number, out: number, outer: number, reduced: number, inner: number): Loop<[number, number]> {
  const steps: Four[] = [
    [0, 0, reduced * inner, 1],
    [0, 0, inner, 1],
  ]
  return { addresses: [x, out], sizes: [1, 1, outer, inner], steps, each: reduced }
}

/** The sum divided by `divisor`; long columns in blocks of rows, so that it stays accurate. */
function sumBy(divisor: number): Reduce {
  return (backend, x, out, outer, reduced, inner) => {
    if (inner === 1 || reduced <= ROWS) {
      const loop = loopOf(x, out, outer, reduced, inner)
      return shareLoop(backend, 'sumColumns', loop, (starts, [, , rows, width]) => {
        return [...starts, rows, reduced, inner, width, divisor]
      })
    }
    const [whole, rest] = [Math.floor(reduced / ROWS), reduced % ROWS]
    const blocks = whole + Number(rest > 0)
    backend.withScratch(4 * blocks * inner, (partial) => {
      for (let i = 0; i < outer; i++) {
        const from = x + 4 * i * reduced * inner
        sumBy(1)(backend, from, partial, whole, ROWS, inner)
        const [left, leftOut] = [from + 4 * whole * ROWS * inner, partial + 4 * whole * inner]
        if (rest > 0) sumBy(1)(backend, left, leftOut, 1, rest, inner)
        sumBy(divisor)(backend, partial, out + 4 * i * inner, 1, blocks, inner)
      }
    })
  }
}

/** The sum of `count` rows at `x`, of `inner` elements each. */
export function sumRows(backend: SimdBackend, x: number, out: number, count: number, inner: number): void {
  sumBy(1)(backend, x, out, 1, count, inner)
}

const maximum: Reduce = (backend, x, out, outer, reduced, inner) => {
  const loop = loopOf(x, out, outer, reduced, inner)
  shareLoop(backend, 'maximumColumns', loop, (starts, [, , rows, width]) => [...starts, rows, reduced, inner, width])
}

/** A kernel over the axes in attribute `name`; `stepsFor` gets the number of elements in each result, or `count`. */
function reduction(name: string, stepsFor: (count: number) => Steps | null): SimdKernel {
  return ({ inputs, attrs, backend }) => {
    const x = inputs.x as TensorInfo
    if (x.dtype !== 'float32') return null
    const axes = util.parseAxisParam(attrs[name] as number | number[], x.shape)
    const [kept, reducedShape] = backend_util.computeOutAndReduceShapes(x.shape, axes)
    const steps = stepsFor((attrs.count as number | undefined) ?? util.sizeFromShape(reducedShape))
    if (!steps) return null
    const shape = attrs.keepDims ? backend_util.expandShapeToKeepDim(kept, axes) : kept
    const { info, address } = backend.output(shape)
    if (util.sizeFromShape(shape) > 0) reduceRuns(backend, steps, backend.address(x), address, runs(x.shape, axes))
    return info
  }
}

export const reductionKernels: SimdKernels = {
  Sum: reduction('axis', () => [sumBy(1), sumBy(1)]),
  // the maximum of no values is left to the stock kernels
  Mean: reduction('axis', (count) => (count > 0 ? [sumBy(1), sumBy(count)] : null)),
  Max: reduction('reductionIndices', (count) => (count > 0 ? [maximum, maximum] : null)),
}
