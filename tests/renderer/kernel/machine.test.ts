import { expect, it } from 'vitest'
import { machineOf } from '../../../renderer/kernel/machine.ts'
import type { BackendOption } from '../../../renderer/protocol/kernel.ts'

const simd: BackendOption = { name: 'simd', device: 'processor', software: false }
const gpu: BackendOption = { name: 'webgpu', device: 'nvidia ampere', software: false }
const hardwareConcurrency = 8

it('has what the browser tells when asked', async () => {
  const userAgentData = {
    platform: 'Linux',
    getHighEntropyValues: async () => ({
      ...{ architecture: 'x86', bitness: '64', platformVersion: '6.8.0' },
      fullVersionList: [
        { brand: 'Not;A', version: '9' },
        { brand: 'Chromium', version: '141.0.7390.54' },
      ],
    }),
  }
  const browser = { userAgent: 'Mozilla/5.0 Chrome/141.0.0.0', hardwareConcurrency, userAgentData }
  expect(await machineOf(browser, { chosen: simd, options: [gpu, simd] })).toEqual({
    mixlab: expect.stringMatching(/^\d+\./),
    runtime: 'Chromium 141.0.7390.54',
    platform: 'Linux 6.8.0',
    architecture: 'x86 64',
    cores: 8,
    threads: 8,
    adapter: 'nvidia ampere',
  })
})

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140.0', 'X11'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.1 Safari/605.1',
    'Safari 18.1',
    'Macintosh',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    'Chrome 140.0.0.0',
    'Windows NT 10.0',
  ],
  ['something else', 'something else', ''],
])('falls back to the user agent: %s', async (userAgent, runtime, platform) => {
  const machine = await machineOf({ userAgent, hardwareConcurrency }, { chosen: gpu, options: [simd] })
  expect(machine).toMatchObject({ runtime, platform, architecture: '', threads: 1 })
  expect(machine).not.toHaveProperty('adapter')
})

it('goes on where the browser does not answer', async () => {
  const userAgentData = { platform: 'macOS', getHighEntropyValues: () => Promise.reject(new Error('no')) }
  const browser = { userAgent: 'Chrome/1.0', hardwareConcurrency, userAgentData }
  expect(await machineOf(browser, { chosen: simd, options: [] })).toMatchObject({
    runtime: 'Chrome 1.0',
    platform: 'macOS',
  })
})
