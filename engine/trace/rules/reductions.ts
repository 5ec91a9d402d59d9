import { type DataType, upcastType, util } from '@tensorflow/tfjs-core'
import { attribute, first, one, type Rules, type ShapeRule } from '../rule.ts'

/** Drops the reduced axes, or keeps them with length 1; `typeOf` gives the type of the result. */
const reduction =
  (typeOf: (dtype: DataType) => DataType): ShapeRule =>
  (inputs, attributes) => {
    const { shape, dtype } = first(inputs)
    const named = 'reductionIndices' in attributes ? 'reductionIndices' : 'axis' // the former in Max alone
    const given = attribute<number | number[] | null | undefined>(attributes, named)
    const axes = util.parseAxisParam(given ?? shape.map((_, i) => i), shape)
    const kept = shape.map((length, i) => (axes.includes(i) ? 1 : length))
    return one(attributes.keepDims ? kept : kept.filter((_, i) => !axes.includes(i)), typeOf(dtype))
  }

const counted = reduction((dtype) => upcastType(dtype, 'int32'))
const index = reduction(() => 'int32')
const truth = reduction(() => 'bool')
const extreme = reduction((dtype) => dtype)

/** Operations that fold axes. */
export const reductions: Rules = {
  All: truth,
  Any: truth,
  ArgMax: index,
  ArgMin: index,
  Max: extreme,
  Mean: reduction(() => 'float32'),
  Min: extreme,
  Prod: counted,
  Sum: counted,
}
