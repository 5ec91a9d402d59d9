import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { compile } from '../../engine/compile/compile.ts'
import { hasPrograms } from '../../engine/compile/program.ts'
import { type Kind, randomCode } from '../engine/compile/randomCode.ts'
import { differing, read, type Values } from './compare.ts'

/** Of each kind; the values of `forward` would not be finite. */
const [COUNT, KINDS] = [40, ['gradients', 'chain'] satisfies Kind[]]

/** What random code gives, by its name, as programs. */
async function results(backend: string): Promise<Map<string, Values>> {
  await startBackend(backend, 1)
  const own = tf.backend()
  if (!hasPrograms(own)) throw new Error(`${backend} has no programs`)
  const found = new Map<string, Values>()
  for (const kind of KINDS) {
    for (let i = 0; i < COUNT; i++) {
      const name = `${kind}/card/${i}`
      const { values, body, batch, inputs: specs } = randomCode(kind, name)
      const inputs = values()
      const program = await compile(own, specs, batch, body)
      if (program instanceof Error) throw program
      found.set(name, await read(program.run(inputs, 0)))
      program.dispose()
      tf.dispose(inputs)
    }
  }
  return found
}

/** Programs of random operations and their gradients; what cancels out to less than 0.1 is rounding. */
export async function random(): Promise<string[]> {
  const wanted = await results('simd')
  const own = await results('webgpu')
  return [...wanted].flatMap(([name, values]) => {
    return differing(own.get(name) ?? {}, values, 1e-3, 0.1).map((line) => `${line}, in ${name}`)
  })
}
