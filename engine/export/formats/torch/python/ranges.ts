import * as tf from '@tensorflow/tfjs-core'
import type { Expression } from './expressions.ts'
import type { Thing } from './things.ts'

/** Ranges of axes, as in `x[..., 2:4]`; None adds an axis. */
export function part(x: tf.Tensor, at: Expression[], of: (inner: Expression) => Thing): tf.Tensor {
  const kept = at.filter((place) => !isNone(place))
  const dots = kept.findIndex((place) => place.kind === 'value' && place.value === '...')
  const begin = x.shape.map(() => 0)
  const size = [...x.shape]
  for (const [i, place] of kept.entries()) {
    if (i === dots) continue
    if (place.kind !== 'slice') throw new Error('is read at what is no range')
    const axis = dots >= 0 && i > dots ? x.rank - kept.length + i : i
    const from = place.from ? Number(of(place.from)) : 0
    const to = place.to ? Number(of(place.to)) : (x.shape[axis] as number)
    begin[axis] = from
    size[axis] = to - from
  }
  const y = tf.slice(x, begin, size)
  const added = at.findIndex(isNone)
  return added < 0 ? y : tf.expandDims(y, added)
}

const isNone = (place: Expression) => place.kind === 'value' && place.value === null
