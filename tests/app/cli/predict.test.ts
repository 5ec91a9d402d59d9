import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'fast-png'
import { expect, it } from 'vitest'
import { modelTensors } from '../../../engine/cost/trace.ts'
import { mixer } from '../../../engine/models/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { keyOf, normal } from '../../../engine/random.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { freshFolder, mixlab } from './recorder.ts'

/** A file of a small Mixer with its own names alone, and a picture of another size. */
async function files() {
  const folder = freshFolder()
  const block = mixer({ patch: 4, dim: 8, depth: 1, ffn: 16 })
  const forward = assemble(block, resolveSize(block, {}, 'test'), 'image', { outputs: 3 })
  const tensors = (await modelTensors(forward, { shape: [1, 16, 16, 3] })).map(({ name, shape }) => {
    const length = shape.reduce((product, each) => product * each, 1)
    return { name, shape, values: Float32Array.from({ length }, (_, i) => normal(keyOf(1, name), i)) }
  })
  const [weights, picture] = [join(folder, 'mixer.safetensors'), join(folder, 'a.png')]
  writeFileSync(weights, writeSafetensors(tensors))
  const data = Uint8Array.from({ length: 24 * 20 * 3 }, (_, i) => (i * 7) % 256)
  writeFileSync(picture, encode({ width: 24, height: 20, data, channels: 3 }))
  return { weights, picture }
}

it('names the most probable classes of a picture', async () => {
  const { weights, picture } = await files()
  const { code, out } = await mixlab(['predict', weights, picture, '--top', '2', '--json'])
  expect(code).toBe(0)
  const { top } = JSON.parse(out[0] ?? '')
  expect(top).toHaveLength(2)
  expect(top[0].probability).toBeGreaterThanOrEqual(top[1].probability)
  const all = await mixlab(['predict', weights, picture, '--json'])
  const sum = JSON.parse(all.out[0] ?? '').top.reduce((total: number, { probability = 0 }) => total + probability, 0)
  expect(sum).toBeCloseTo(1, 5)
})

it('says what cannot be read', async () => {
  const { weights, picture } = await files()
  expect((await mixlab(['predict', 'none.safetensors', picture])).err[0]).toContain('none.safetensors: no such file')
  expect((await mixlab(['predict', weights, weights])).err[0]).toContain('mixer.safetensors: neither a PNG nor a JPEG')
  expect((await mixlab(['predict', picture, picture])).err[0]).toContain('not a safetensors file')
})
