import { backend_util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'
import type { Windows } from './views.ts'

type Pair = number | [number, number]

/** How windows go over an image, and all their places, `[batch, down, across, rows, columns, channels]`. */
function windowsOf({ attributes }: Operation, x: number[], y: number[]): { windows: Windows; shape: number[] } {
  const { filterSize, strides, pad, dimRoundingMode } = attributes as Record<string, unknown>
  const how = [filterSize as Pair, strides as Pair, 1, pad as number, dimRoundingMode as 'floor' | undefined] as const
  const info = backend_util.computePool2DInfo(x as [number, number, number, number], ...how)
  const windows: Windows = {
    stride: [info.strideHeight, info.strideWidth],
    dilation: [1, 1],
    pad: [info.padInfo.top, info.padInfo.left],
  }
  return { windows, shape: [...y.slice(0, 3), info.filterHeight, info.filterWidth, x[3] as number] }
}

export const attributesOf = (windows: object) => windows as Operation['attributes']

/** A value of the windows, for each of their places. */
export const each = (use: Use): Use => ({ ...use, shape: [...use.shape.slice(0, 3), 1, 1, use.shape[3] as number] })

/** For each place of a window its number there. */
function places([, , , rows, columns]: number[], fresh: Fresh): [Operation, Use] {
  const taps = fresh([rows as number, columns as number, 1])
  return [made('Places', {}, taps), taps]
}

/** What is largest is never outside of the image. */
export const LARGEST = { value: Number.NEGATIVE_INFINITY }

/** Of the places of windows, all values of which are in `patches`, the first that has the largest value, `y`, of its window. */
export function firstPlaces(patches: Use, y: Use, fresh: Fresh): { operations: Operation[]; first: Use; tap: Use } {
  const { shape } = patches
  const isLargest = fresh(shape, 'bool')
  const [taps, tap] = places(shape, fresh)
  const [none, found, first] = [fresh([]), fresh(shape), fresh(y.shape)]
  const operations = [
    made('Equal', { a: patches, b: each(y) }, isLargest),
    taps,
    made('Number', {}, none, { value: sizeOf(tap) }),
    made('Select', { condition: isLargest, t: tap, e: none }, found),
    made('Min', { x: found }, first, { axis: [3, 4] }),
  ]
  return { operations, first, tap }
}

/** The slopes of windows, each of which goes to one of their places, back at the image. */
export function backFrom(first: Use, tap: Use, dy: Use, dx: Use, windows: Windows, fresh: Fresh): Operation[] {
  const seen = [...dx.shape.slice(0, 3), ...tap.shape.slice(0, 2), dx.shape[3] as number]
  const [firsts, slopes, chosen] = [fresh(seen), fresh(seen), fresh(seen)]
  return [
    made('BackPatches', { dy: first }, firsts, attributesOf(windows)),
    made('BackPatches', { dy }, slopes, attributesOf(windows)),
    ...chosenAt(firsts, tap, slopes, chosen, fresh),
    made('Sum', { x: chosen }, dx, { axis: [3, 4] }),
  ]
}

/** What is where a place is the chosen one, and nothing elsewhere. */
export function chosenAt(first: Use, tap: Use, given: Use, y: Use, fresh: Fresh): Operation[] {
  const [isHere, nothing] = [fresh(y.shape, 'bool'), fresh([])]
  return [
    made('Equal', { a: first, b: tap }, isHere),
    made('Number', {}, nothing, { value: 0 }),
    made('Select', { condition: isHere, t: given, e: nothing }, y),
  ]
}

/** What windows have inside of the image: the share of each value in their mean. */
function shares(x: Use, y: Use, windows: Windows, size: number[], fresh: Fresh): [Operation, Use] {
  const share = fresh([y.shape[1] as number, y.shape[2] as number, 1])
  return [made('Shares', {}, share, attributesOf({ ...windows, size, image: x.shape.slice(1, 3) })), share]
}

/** Pooling as sums and maxima over views of the image; no view is ever stored. */
export const pools: Record<string, Rewrite> = {
  AvgPool: (operation, fresh) => {
    const [x, y] = [inputOf(operation, 'x'), outputOf(operation)]
    const { windows, shape } = windowsOf(operation, x.shape, y.shape)
    const [patches, sum] = [fresh(shape), fresh(y.shape)]
    const [share, by] = shares(x, y, windows, shape.slice(3, 5), fresh)
    return [
      made('Patches', { x }, patches, attributesOf(windows)),
      made('Sum', { x: patches }, sum, { axis: [3, 4] }),
      share,
      made('Multiply', { a: sum, b: by }, y),
    ]
  },
  /** Of whole windows, as the kernel of tfjs: what is outside of the image counts, and dy is weighted for that before. */
  AvgPoolGrad: (operation, fresh) => {
    const [dy, dx] = [inputOf(operation, 'dy'), outputOf(operation)]
    const { windows, shape } = windowsOf(operation, dx.shape, dy.shape)
    const size = shape.slice(3, 5) as [number, number]
    const [patches, sum] = [fresh([...dx.shape.slice(0, 3), ...shape.slice(3)]), fresh(dx.shape)]
    return [
      made('BackPatches', { dy }, patches, attributesOf(windows)),
      made('Sum', { x: patches }, sum, { axis: [3, 4] }),
      made('Scale', { x: sum }, dx, { by: 1 / (size[0] * size[1]) }),
    ]
  },
  MaxPool: (operation, fresh) => {
    const [x, y] = [inputOf(operation, 'x'), outputOf(operation)]
    const { windows, shape } = windowsOf(operation, x.shape, y.shape)
    const patches = fresh(shape)
    return [
      made('Patches', { x }, patches, attributesOf({ ...windows, ...LARGEST })),
      made('Max', { x: patches }, y, { reductionIndices: [3, 4] }),
    ]
  },
  /** To the first place of each window that has its largest value. */
  MaxPoolGrad: (operation, fresh) => {
    const [dy, x, y] = ['dy', 'input', 'output'].map((name) => inputOf(operation, name)) as [Use, Use, Use]
    const { windows, shape } = windowsOf(operation, x.shape, y.shape)
    const patches = fresh(shape)
    const { operations, first, tap } = firstPlaces(patches, y, fresh)
    return [
      made('Patches', { x }, patches, attributesOf({ ...windows, ...LARGEST })),
      ...operations,
      ...backFrom(first, tap, dy, outputOf(operation), windows, fresh),
    ]
  },
}
