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

const attributesOf = (windows: object) => windows as Operation['attributes']

/** A value of the windows, for each of their places. */
const each = (use: Use): Use => ({ ...use, shape: [...use.shape.slice(0, 3), 1, 1, use.shape[3] as number] })

/** For each place of a window its number there. */
function places([, , , rows, columns]: number[], fresh: Fresh): [Operation, Use] {
  const taps = fresh([rows as number, columns as number, 1])
  return [made('Places', {}, taps), taps]
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
      made('Patches', { x }, patches, attributesOf({ ...windows, value: Number.NEGATIVE_INFINITY })),
      made('Max', { x: patches }, y, { reductionIndices: [3, 4] }),
    ]
  },
  /** To the first place of each window that has its largest value. */
  MaxPoolGrad: (operation, fresh) => {
    const [dy, x, y] = ['dy', 'input', 'output'].map((name) => inputOf(operation, name)) as [Use, Use, Use]
    const dx = outputOf(operation)
    const { windows, shape } = windowsOf(operation, x.shape, y.shape)
    const [patches, isLargest] = [fresh(shape), fresh(shape, 'bool')]
    const [taps, tap] = places(shape, fresh)
    const none = fresh([])
    const [found, first] = [fresh(shape), fresh(y.shape)]
    const seen = [...dx.shape.slice(0, 3), ...shape.slice(3)]
    const [firsts, slopes, isHere] = [fresh(seen), fresh(seen), fresh(seen, 'bool')]
    const [nothing, chosen] = [fresh([]), fresh(seen)]
    const number = (value: number, use: Use) => made('Number', {}, use, { value })
    return [
      made('Patches', { x }, patches, attributesOf({ ...windows, value: Number.NEGATIVE_INFINITY })),
      made('Equal', { a: patches, b: each(y) }, isLargest),
      taps,
      number(sizeOf(tap), none),
      made('Select', { condition: isLargest, t: tap, e: none }, found),
      made('Min', { x: found }, first, { axis: [3, 4] }),
      made('BackPatches', { dy: first }, firsts, attributesOf(windows)),
      made('BackPatches', { dy }, slopes, attributesOf(windows)),
      made('Equal', { a: firsts, b: tap }, isHere),
      number(0, nothing),
      made('Select', { condition: isHere, t: slopes, e: nothing }, chosen),
      made('Sum', { x: chosen }, dx, { axis: [3, 4] }),
    ]
  },
}
