import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gelu } from '../../../engine/nn/gelu.ts'
import { layerNorm } from '../../../engine/nn/layerNorm.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { loadWeights } from '../../../engine/weights/model.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { readCase } from '../models/case.ts'

describe('gelu', () => {
  it('is the erf form, with its derivative', () => {
    const golden = readCase('op_gelu')
    const x = golden.tensor('input').values
    tf.tidy(() => {
      const input = tf.tensor1d(x)
      const output = gelu(input).dataSync()
      const derivative = tf
        .grad((x) => tf.sum(gelu(x)))(input)
        .dataSync()
      golden.tensor('output').values.forEach((value, i) => {
        const error = Math.abs((output[i] as number) - value) / Math.max(1, Math.abs(x[i] as number))
        expect(error, `gelu(${x[i]})`).toBeLessThan(1e-6)
      })
      golden.tensor('derivative').values.forEach((value, i) => {
        expect(Math.abs((derivative[i] as number) - value), `gelu'(${x[i]})`).toBeLessThan(5e-6)
      })
    })
  })
})

describe.each(['op_layernorm', 'op_layernorm_offset'])('%s', (name) => {
  it('meets the bounds element by element, forward and backward', () => {
    const golden = readCase(name)
    const eps = golden.config.eps as number
    const { shape, values } = golden.tensor('input')
    const model = createModel((x) => layerNorm(x, { eps }), { shape }, 1)
    const weights = ['weight', 'bias'].map((name) => ({ ...golden.tensor(name), name: `norm.${name}` }))
    loadWeights(model.parameters, writeSafetensors(weights))
    const [input, given] = tf.tidy(() => [
      tf.variable(tf.tensor(values, shape)),
      tf.tensor(golden.tensor('grad_output').values, shape),
    ]) as [tf.Variable, tf.Tensor]
    tf.tidy(() => {
      const [weight, bias] = model.parameters.map(({ variable }) => variable) as [tf.Variable, tf.Variable]
      const { grads } = tf.variableGrads(
        () => tf.sum(tf.mul(model.apply(input), given)) as tf.Scalar,
        [input, weight, bias],
      )
      const results = {
        output: model.apply(input),
        grad_input: grads[input.name],
        grad_weight: grads[weight.name],
        grad_bias: grads[bias.name],
      }
      for (const [what, tensor] of Object.entries(results)) {
        const own = (tensor as tf.Tensor).dataSync()
        const tolerance = golden.tensor(`tol.${what}`).values
        golden.tensor(what).values.forEach((value, i) => {
          const error = Math.abs((own[i] as number) - value)
          expect(error, `${what}[${i}]`).toBeLessThanOrEqual(tolerance[i] as number)
        })
      }
    })
    tf.dispose([input, given])
    model.dispose()
  })
})
