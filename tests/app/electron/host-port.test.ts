import { expect, it, vi } from 'vitest'
import { answerHost } from '../../../app/electron/host-port.ts'
import { createStoreProcess } from '../../../app/electron/store-process.ts'
import { askMain, pageFrame } from './ask-main.ts'
import { forked } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

it('hands a fresh port to the page each time it asks, and none to others', async () => {
  answerHost(
    createStoreProcess({ store: '/store.js', query: '/query.js' }, { workspace: '/w', notebook: null }, () => {}),
  )
  const postMessage = vi.fn()
  await askMain('connect-host', [], { ...pageFrame, url: 'https://evil.example/', postMessage })
  expect(forked).toHaveLength(0)
  await askMain('connect-host', [], { ...pageFrame, postMessage })
  await askMain('connect-host', [], { ...pageFrame, postMessage })
  const ports = postMessage.mock.calls.map(([channel, , [port]]) => {
    expect(channel).toBe('mixlab:host')
    return port
  })
  expect(new Set(ports).size).toBe(2)
})
