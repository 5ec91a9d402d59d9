import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DesktopBridge } from '../../../app/electron/bridge.ts'
import { contextBridge, ipcRenderer } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

/** The page's window, as far as the preload script touches it. */
const page = {
  location: { origin: 'mixlab://workbench' },
  listeners: [] as ((event: object) => void)[],
  addEventListener: (_type: string, listener: (event: object) => void) => void page.listeners.push(listener),
  postMessage: vi.fn(),
}

vi.stubGlobal('window', page)
await import('../../../app/electron/preload.ts')
const exposed = contextBridge.exposeInMainWorld.mock.calls
const listened = ipcRenderer.on.mock.calls
const bridge: DesktopBridge = exposed[0]?.[1]

beforeEach(() => {
  ipcRenderer.invoke.mockReset()
  ipcRenderer.invoke.mockResolvedValue({ value: undefined })
})

function receive(message: object) {
  for (const listener of page.listeners) listener({ source: page, origin: page.location.origin, ...message })
}

it('exposes the dialogs, what the system is told of training, and nothing else', () => {
  expect(exposed.map(([name]) => name)).toEqual(['mixlabDesktop'])
  expect(Object.keys(bridge)).toEqual(['saveFile', 'chooseFolder', 'showTraining', 'trainingEnded'])
})

describe('the bridge', () => {
  it('passes calls on and answers back', async () => {
    const bytes = new Uint8Array([1])
    ipcRenderer.invoke.mockResolvedValueOnce({ value: '/a.npz' }).mockResolvedValueOnce({ value: null })
    expect(await bridge.saveFile('a.npz', bytes)).toBe('/a.npz')
    expect(await bridge.chooseFolder()).toBeNull()
    expect(ipcRenderer.invoke.mock.calls).toEqual([['save-file', 'a.npz', bytes], ['choose-folder']])
  })

  it('tells main of training, and the page when that is to end', () => {
    bridge.showTraining(0.5)
    bridge.trainingEnded()
    expect(ipcRenderer.invoke.mock.calls).toEqual([['show-training', 0.5], ['training-ended']])
    const [, told] = listened.find(([channel]) => channel === 'mixlab:end-training') ?? []
    told?.({} as Electron.IpcRendererEvent, 'leave')
    expect(page.postMessage).toHaveBeenLastCalledWith('mixlab:end-training:leave', page.location.origin, [])
  })

  it('throws what main answers as an error, in its words', async () => {
    ipcRenderer.invoke.mockResolvedValueOnce({ error: 'name: a file name is needed' })
    await expect(bridge.saveFile('', new Uint8Array())).rejects.toThrow(/^name: a file name is needed$/)
  })
})

describe('the host', () => {
  it.each([
    ['mixlab:host?', 'connect-host'],
    ['mixlab:kernels?', 'connect-kernels'],
    ['mixlab:pages?', 'serve-kernels'],
  ])('is asked for when the page asks, as the kernels are: %s', (data, channel) => {
    receive({ data })
    expect(ipcRenderer.invoke.mock.calls).toEqual([[channel]])
  })

  it.each([
    { data: 'mixlab:host' },
    { data: 'toString' },
    { data: { type: 'mixlab:host?' } },
    { data: 'mixlab:host?', origin: 'https://evil.example' },
    { data: 'mixlab:host?', source: {} },
  ])('is not asked for by %j', (message) => {
    receive(message)
    expect(ipcRenderer.invoke).not.toHaveBeenCalled()
  })

  it.each(['mixlab:host', 'mixlab:kernels', 'mixlab:page'])('reaches the page as a port: %s', (given) => {
    const [, listener] = listened.find(([channel]) => channel === given) ?? []
    const { port1, port2 } = new MessageChannel()
    listener?.({ ports: [port1] } as unknown as Electron.IpcRendererEvent)
    expect(page.postMessage.mock.calls.at(-1)).toEqual([given, 'mixlab://workbench', [port1]])
    port1.close()
    port2.close()
  })
})
