import { backend_util, type DataType, gather_util, util } from '@tensorflow/tfjs-core'
import { attribute, family, first, input, one, type Rules, type ShapeRule } from '../rule.ts'

const gather: ShapeRule = (inputs, attributes) => {
  const x = input(inputs, 'x')
  const { segment_util } = backend_util
  type Tensor = Parameters<typeof segment_util.collectGatherOpShapeInfo>[0]
  const { outputShape } = segment_util.collectGatherOpShapeInfo(
    { ...x, rank: x.shape.length } as Tensor,
    { ...input(inputs, 'indices'), rank: input(inputs, 'indices').shape.length } as Tensor,
    util.parseAxisParam(attribute<number>(attributes, 'axis') ?? 0, x.shape)[0] as number,
    attribute<number>(attributes, 'batchDims') ?? 0,
  )
  return one(outputShape, x.dtype)
}

const gatherNd: ShapeRule = (inputs) => {
  const params = input(inputs, 'params')
  const { shape } = input(inputs, 'indices')
  const [outShape] = gather_util.prepareAndValidate(params, { ...input(inputs, 'indices'), shape })
  return one(outShape, params.dtype)
}

const topK: ShapeRule = (inputs, attributes) => {
  const { shape, dtype } = first(inputs)
  const found = shape.with(-1, attribute<number>(attributes, 'k'))
  const dtypes = [dtype, 'int32'] as const
  return { output: dtypes.map((each) => ({ shape: found, dtype: each })) }
}

/** Counts per value: `[n]` to `[size]`, `[rows, n]` to `[rows, size]`. */
const bincount: ShapeRule = (inputs, attributes) => {
  const { shape } = input(inputs, 'x')
  return one([...shape.slice(0, -1), attribute<number>(attributes, 'size')], input(inputs, 'weights').dtype)
}

/** Operations that look values up by index, and back. */
export const indexing: Rules = {
  GatherV2: gather,
  GatherNd: gatherNd,
  OneHot: (inputs, attributes) =>
    one([...first(inputs).shape, attribute<number>(attributes, 'depth')], attribute<DataType>(attributes, 'dtype')),
  ScatterNd: (inputs, attributes) => one(attribute<number[]>(attributes, 'shape'), input(inputs, 'updates').dtype),
  TensorScatterUpdate: (inputs) => one(input(inputs, 'tensor').shape, input(inputs, 'tensor').dtype),
  SparseToDense: (inputs, attributes) =>
    one(attribute<number[]>(attributes, 'outputShape'), input(inputs, 'sparseValues').dtype),
  UnsortedSegmentSum: (inputs, attributes) => {
    const { shape, dtype } = input(inputs, 'x')
    const { length } = input(inputs, 'segmentIds').shape
    return one([attribute<number>(attributes, 'numSegments'), ...shape.slice(length)], dtype)
  },
  TopK: topK,
  SearchSorted: (inputs) => one(input(inputs, 'values').shape, 'int32'),
  ...family(['Bincount', 'DenseBincount'], bincount),
}
