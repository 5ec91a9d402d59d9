import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { tries } from '../../../long.ts'
import { onSimd } from './setup.ts'
import { Draws } from './stock.ts'

onSimd()

it.each(['Sum', 'Mean'])('the gradient of %s is that of tfjs to the bit', (name) => {
  const draws = new Draws(`${name} by repeating`)
  const gradient = tf.getGradient(name).gradFunc
  for (let i = 0; i < tries(60); i++) {
    const shape = draws.shape(draws.below(7))
    const axis = shape.map((_, axis) => axis).filter(() => draws.below(2) === 0)
    const count = axis.reduce((product, at) => product * (shape[at] as number), 1)
    const kept = shape.map((size, at) => (axis.includes(at) ? 1 : size))
    const [found, wanted] = tf.tidy(() => {
      const [x, dy] = [tf.ones(shape), tf.tensor(draws.values(kept, true), kept)]
      const spread = tf.mul(dy, x)
      const repeated = gradient(dy, [x], { axis }).x?.() as tf.Tensor
      expect(repeated.shape).toEqual(shape)
      return [repeated.dataSync(), (name === 'Mean' ? tf.div(spread, count) : spread).dataSync()]
    })
    expect(found, `[${shape}] over [${axis}]`).toEqual(wanted)
  }
})
