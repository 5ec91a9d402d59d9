import * as tf from '@tensorflow/tfjs'
import { beforeAll, it } from 'vitest'
import type { Code } from '../../../engine/compile/record.ts'
import { registerGradients } from '../../../engine/gradients/register.ts'
import { LONG } from '../../long.ts'
import { expectSameBits, leaveSimd, programOf, taken, useThreads } from '../compile/setup.ts'
import type { Case } from './cases.ts'
import { families } from './table.ts'

beforeAll(async () => {
  registerGradients()
  await useThreads(1)
})
leaveSimd()

/** The value of a case and its gradients. */
const codeOf =
  ({ inputs, run }: Case): Code =>
  (given, { backward }) => {
    const all = inputs.map((_, i) => given[`${i}`] as tf.Tensor)
    const floats = all.filter(({ dtype }) => dtype === 'float32')
    const sum = () => {
      const terms = [run(...all)].flat().map((each) => tf.sum(tf.square(tf.cast(each, 'float32'))))
      backward()
      return tf.addN(terms) as tf.Scalar
    }
    const { value, grads } = tf.engine().gradients(sum, floats, undefined, true)
    const named = grads.flatMap((gradient, i) => (gradient ? [[`gradient ${i}`, gradient] as const] : []))
    return { value, ...Object.fromEntries(named) }
  }

/** An operation without a shape rule cannot be recorded. */
const isRecorded = (name: string) => name !== 'dilation2d'

const tried = (name: string, cases: Case[]) =>
  cases
    .filter((each) => isRecorded(name) && each.inputs.some(({ dtype }) => dtype === 'float32'))
    .filter((_, i) => LONG || i % 9 === 0)

it.each(Object.entries(families))('the gradients of %s are the same as a program', async (_, family) => {
  for (const [name, cases] of Object.entries(family)) {
    for (const each of tried(name, cases)) {
      const given = Object.fromEntries(
        each.inputs.map(({ values, shape, dtype }, i) => [
          `${i}`,
          tf.tensor(values.slice() as tf.TypedArray, shape, dtype),
        ]),
      )
      const code = codeOf(each)
      const program = await programOf(given, each.inputs[0]?.shape[0] ?? 1, code)
      const title = `${name} of ${each.inputs.map(({ shape }) => `[${shape}]`)}`
      const wanted = taken(tf.tidy(() => code(given, { backward: () => {}, draw: () => {} })))
      expectSameBits(taken(program.run(given, 0)), wanted, title, { signless: true })
      program.dispose()
      tf.dispose(given)
    }
  }
})
