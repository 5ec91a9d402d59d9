import { expect, it } from 'vitest'
import { retryOnDeviceLoss } from '../../../app/cells/deviceLoss.ts'
import type { BackendInfo, BackendName } from '../../../engine/backends/types.ts'
import { LostDevice } from '../../../engine/errors.ts'

const info = (name: BackendName): BackendInfo => ({ name, device: `the ${name}` })
const first = { backend: info('webgpu'), candidates: [], move: false }

/** Trains on a card that is lost so often; the backends it was trained on, and what was said. */
async function trained(lost: number) {
  const on: [string, boolean][] = []
  const said: string[] = []
  const start = async (name: BackendName) => info(name)
  const result = await retryOnDeviceLoss(
    first,
    start,
    (line) => said.push(line),
    async ({ backend, move }, losses) => {
      on.push([backend.name, move])
      if (losses < lost) throw new LostDevice('it fell out')
      return losses
    },
  )
  return { on, said, result }
}

it('trains once where nothing is lost', async () => {
  expect(await trained(0)).toEqual({ on: [['webgpu', false]], said: [], result: 0 })
})

it('goes on on the card after one loss, and on the processor after two, where runs continue that began on the card', async () => {
  const { on, said, result } = await trained(2)
  expect(on).toEqual([
    ['webgpu', false],
    ['webgpu', false],
    ['simd', true],
  ])
  expect(said).toEqual([
    'the graphics card was lost: it fell out; training continues on webgpu, from the last checkpoint',
    'the graphics card was lost: it fell out; training continues on simd, from the last checkpoint',
  ])
  expect(result).toBe(2)
})

it('goes on on the processor where the card does not start again', async () => {
  const on: string[] = []
  const start = (name: BackendName) =>
    name === 'webgpu' ? Promise.reject(new Error('none')) : Promise.resolve(info(name))
  await retryOnDeviceLoss(
    first,
    start,
    () => {},
    async ({ backend, move }) => {
      on.push(`${backend.name} ${move}`)
      if (backend.name === 'webgpu') throw new LostDevice('it fell out')
    },
  )
  expect(on).toEqual(['webgpu false', 'simd true'])
})

it('passes other errors on', async () => {
  const wrong = retryOnDeviceLoss(
    first,
    async (name) => info(name),
    () => {},
    () => Promise.reject(new Error('no data')),
  )
  await expect(wrong).rejects.toThrow('no data')
})
