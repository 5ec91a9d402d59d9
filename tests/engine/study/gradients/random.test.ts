import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { blank } from '../../../../engine/compile/record.ts'
import { PARAMETER } from '../../../../engine/compile/training.ts'
import { registerGradients } from '../../../../engine/gradients/register.ts'
import { measureKernels, worstAmong } from '../../../../engine/study/gradients/measured.ts'
import { usesOf } from '../../../../engine/study/gradients/uses.ts'
import { tracing } from '../../../../engine/trace/backend.ts'
import { LONG } from '../../../long.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { type Kind, randomCode } from '../../compile/randomCode.ts'
import { wrongIn } from './wrongIn.ts'

onSimd()

/** The operations that the gradient of random code passes through, all as if they stood in line 1 of a cell. */
function usesIn(kind: Kind, name: string) {
  const { inputs, body } = randomCode(kind, name)
  return tracing(
    (recorder) => {
      const given = Object.entries(inputs).map(([key, spec]) => [PARAMETER + key, blank(spec)])
      const own = (all: tf.NamedTensorMap) =>
        Object.fromEntries(Object.entries(all).map(([key, value]) => [key.slice(PARAMETER.length), value]))
      return usesOf(
        (all, marks) => body(own(all), marks),
        Object.fromEntries(given),
        (run, observe) => recorder.record(run, observe),
        () => 'a:1',
      )
    },
    { fused: true, held: Number.POSITIVE_INFINITY },
  )
}

const CASES = Array.from({ length: LONG ? 1000 : 2 }, (_, i) => i)

it.each(CASES)('none of the operations of a right model is called wrong, random code %i', async (i) => {
  registerGradients()
  const { kernels, missing } = await usesIn(i % 4 === 3 ? 'chain' : 'gradients', `right ${i}`)
  expect(missing).toBe(null)
  expect(await wrongIn(kernels)).toEqual([])
})

it('the operations of random code are tried at all', async () => {
  const { kernels } = await usesIn('gradients', 'right 0')
  const all = measureKernels(kernels, () => false)
  expect(all.length).toBeGreaterThan(2)
  for (const found of all) await worstAmong(found) // disposes what was measured
  expect(tf.memory().numTensors).toBeLessThan(100)
})
