import { describe, expect, it } from 'vitest'
import { openCard } from '../../app/webgpu.ts'
import { isDeviceLost } from '../../engine/backends/webgpu/deviceLost.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'

const card = await openCard(['backend=null']).catch((error: unknown) => messageOf(error))
const why = typeof card === 'string' ? `skipped: ${card}` : ''

describe.skipIf(why)(`the graphics card ${why}`, () => {
  it('has a name, and limits as high as it has them', async () => {
    if (typeof card === 'string') throw new Error(card)
    expect(card.name).toMatch(/\w/)
    expect(card.device.limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(128 * 2 ** 20)
  })

  it('tells that it is gone', async () => {
    const { device } = await openCard(['backend=null'])
    expect(await isDeviceLost(device)).toBe(false)
    device.destroy()
    expect(await isDeviceLost(device)).toBe(true)
  })

  it('that is not there is said in a sentence', async () => {
    const missing = openCard(['backend=null', 'adapter=no such card'])
    await expect(missing).rejects.toThrow(MixlabError)
    await expect(missing).rejects.toThrow(/^--backend: 'webgpu' does not start: .*; is a driver for Vulkan/)
  })
})
