import { describe, expect, it } from 'vitest'
import { graphicsSwitches, prepareGraphics } from '../../../app/electron/graphics.ts'
import { app } from './fake-electron.ts'

describe('graphicsSwitches', () => {
  const crashes = 'disable-gpu-process-crash-limit'
  it.each([
    ['linux', true, [crashes, 'enable-features', 'enable-unsafe-webgpu']],
    ['linux', false, [crashes]],
    ['darwin', false, [crashes, 'force_high_performance_gpu']],
    ['win32', false, [crashes, 'force_high_performance_gpu']],
  ] as const)('are on %s, with a card: %s, %j', (platform, card, names) => {
    expect(Object.keys(graphicsSwitches(platform, card)).sort()).toEqual(names)
  })
})

it('prepareGraphics leaves what the user gave, and lets the page compute after a crash', () => {
  app.switches.set('enable-features', 'Mine')
  prepareGraphics(app as unknown as Electron.App, 'linux', true)
  expect(Object.fromEntries(app.switches)).toEqual({
    'disable-gpu-process-crash-limit': '',
    'enable-features': 'Mine',
    'enable-unsafe-webgpu': '',
  })
  expect(app.disableDomainBlockingFor3DAPIs).toHaveBeenCalledOnce()
})
