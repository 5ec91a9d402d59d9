import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { compiled } from '../../engine/compile/model.ts'
import { drawn } from '../engine/nn/gradients.ts'
import { primitiveCode, primitiveModel, SHAPE } from '../engine/nn/primitiveCode.ts'
import { kinked, smooth } from '../engine/nn/primitives.ts'
import { differing, read, type Values } from './compare.ts'

/** What each function of the block language and its gradients give as programs, by its name. */
async function results(backend: string): Promise<Map<string, Values>> {
  await startBackend(backend, 1)
  const found = new Map<string, Values>()
  for (const [name, forward] of Object.entries({ ...smooth, ...kinked })) {
    const model = primitiveModel(forward)
    const batch = { input: drawn('input', [3, ...SHAPE]) }
    const code = compiled(model, { training: true }, primitiveCode(model))
    found.set(name, await read(await code.run(batch, 0)))
    const reason = code.fallback()?.reason
    if (reason) throw new Error(`${name} is no program on ${backend}: ${reason.message}`)
    code.dispose()
    tf.dispose(batch)
    model.dispose()
  }
  return found
}

/** Programs of all functions of the block language on the card give what they give on simd. */
export async function primitives(): Promise<string[]> {
  const wanted = await results('simd')
  const own = await results('webgpu')
  return [...wanted].flatMap(([name, values]) => {
    return differing(own.get(name) ?? {}, values, 2e-5).map((line) => `${line}, in ${name}`)
  })
}
