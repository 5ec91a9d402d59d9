import * as tf from '@tensorflow/tfjs'
import { beforeAll, it } from 'vitest'
import { registerGradients } from '../../../engine/gradients/register.ts'
import { LONG } from '../../long.ts'
import { expectSameBits, leaveSimd, programOf, taken, useThreads } from '../compile/setup.ts'
import { codeOf, tensorsOf, withGradients } from './code.ts'
import { families } from './table.ts'

beforeAll(async () => {
  registerGradients()
  await useThreads(1)
})
leaveSimd()

it.each(Object.entries(families))('the gradients of %s are the same as a program', async (_, family) => {
  for (const [name, cases] of Object.entries(family)) {
    for (const each of withGradients(cases, LONG ? 1 : 9)) {
      const given = tensorsOf(each)
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
