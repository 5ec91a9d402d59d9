import { backend_util } from '@tensorflow/tfjs-core'
import type { Operation, Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'
import { attributesOf, backFrom, chosenAt, each, firstPlaces, LARGEST } from './pools.ts'
import type { Windows } from './views.ts'

type Pair = number | [number, number]

/** The largest sum of an image and a filter in each window, `y`, and all of these sums. */
function dilated({ inputs, attributes }: Operation, y: Use | null, fresh: Fresh) {
  const { x, filter } = inputs as { x: Use; filter: Use }
  const { strides, pad, dilations } = attributes as { strides: Pair; pad: 'same' | 'valid' | number; dilations: Pair }
  const shapes = [x.shape as [number, number, number, number], filter.shape as [number, number, number]] as const
  const info = backend_util.computeDilation2DInfo(...shapes, strides, pad as 'same', 'NHWC', dilations)
  const windows: Windows = {
    stride: [info.strideHeight, info.strideWidth],
    dilation: [info.dilationHeight, info.dilationWidth],
    pad: [info.padInfo.top, info.padInfo.left],
  }
  const shape = [...info.outShape.slice(0, 3), ...filter.shape]
  const [patches, sums, largest] = [fresh(shape), fresh(shape), y ?? fresh(info.outShape)]
  const operations = [
    made('Patches', { x }, patches, attributesOf({ ...windows, ...LARGEST })),
    made('Add', { a: patches, b: filter }, sums),
    made('Max', { x: sums }, largest, { reductionIndices: [3, 4] }),
  ]
  return { operations, windows, sums, largest }
}

/** Dilation of grey pictures and its gradients, each of which goes to the first place with the largest sum. */
export const dilations: Record<string, Rewrite> = {
  Dilation2D: (operation, fresh) => dilated(operation, outputOf(operation), fresh).operations,
  Dilation2DBackpropInput: (operation, fresh) => {
    const { operations, windows, sums, largest } = dilated(operation, null, fresh)
    const { operations: found, first, tap } = firstPlaces(sums, largest, fresh)
    const dy = inputOf(operation, 'dy')
    return [...operations, ...found, ...backFrom(first, tap, dy, outputOf(operation), windows, fresh)]
  },
  Dilation2DBackpropFilter: (operation, fresh) => {
    const { operations, sums, largest } = dilated(operation, null, fresh)
    const { operations: found, first, tap } = firstPlaces(sums, largest, fresh)
    const chosen = fresh(sums.shape)
    return [
      ...operations,
      ...found,
      ...chosenAt(each(first), tap, each(inputOf(operation, 'dy')), chosen, fresh),
      made('Sum', { x: chosen }, outputOf(operation), { axis: [0, 1, 2] }),
    ]
  },
}
