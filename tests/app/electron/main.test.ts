import { describe, expect, it, vi } from 'vitest'
import { freshFolder } from '../store/samples.ts'
import { askMain, pageFrame } from './ask-main.ts'
import { app, BrowserWindow, dialog, forked, ipcMain, Menu, opened, protocol, session } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const userData = freshFolder()
app.getPath.mockReturnValue(userData)
process.argv = ['electron', '/app', '--workspace=/w']
await import('../../../app/electron/main.ts')
const beforeReady = {
  schemes: protocol.registerSchemesAsPrivileged.mock.calls.length,
  windows: opened.length,
  crashes: app.switches.has('disable-gpu-process-crash-limit'),
}
app.becomeReady()
await vi.waitUntil(() => Menu.setApplicationMenu.mock.calls.length > 0)
const [window = new BrowserWindow(), hidden] = opened
const windows = opened.length
const channels = ipcMain.handle.mock.calls.map(([channel]) => channel)
const handlers = ipcMain.handle.mock.calls
const served = protocol.handle.mock.calls.length
const permissions = session.defaultSession.setPermissionRequestHandler.mock.calls.length
const menu = Menu.buildFromTemplate.mock.calls[0]?.[0] ?? []

function ask(channel: string, postMessage = vi.fn()) {
  for (const [name, handler] of handlers) ipcMain.handle(name, handler)
  return askMain(channel, [], { ...pageFrame, postMessage })
}

function click(label: string) {
  const items = menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
  const item = items.find((candidate) => candidate.label === label)
  const event: Electron.KeyboardEvent = {}
  item?.click?.({} as Electron.MenuItem, undefined, event)
}

describe('main', () => {
  it('registers the scheme and prepares for the graphics card before the app is ready, and opens nothing until then', () => {
    expect(beforeReady).toEqual({ schemes: 1, windows: 0, crashes: true })
  })

  it('then serves the page, denies permissions, opens a window and a hidden one, and answers seven calls', () => {
    expect([served, permissions, windows]).toEqual([1, 1, 2])
    expect(channels).toEqual([
      ...['save-file', 'choose-folder', 'connect-host', 'show-training', 'training-ended'],
      ...['connect-kernels', 'serve-kernels'],
    ])
    expect(hidden?.options).toMatchObject({ show: false, focusable: false })
  })

  it('starts the store on the workspace of the command line when the page asks, which gets a fresh port each time', async () => {
    const postMessage = vi.fn()
    for (let time = 0; time < 2; time++) await ask('connect-host', postMessage)
    expect(postMessage.mock.calls.map(([channel]) => channel)).toEqual(['mixlab:host', 'mixlab:host'])
    expect(new Set(postMessage.mock.calls.map(([, , [port]]) => port)).size).toBe(2)
    expect(forked.map(({ args }) => args)).toEqual([['--workspace=/w']])
    const evil = { ...pageFrame, url: 'https://evil.example/', postMessage: vi.fn() }
    await askMain('connect-host', [], evil)
    expect(evil.postMessage).not.toHaveBeenCalled()
  })

  it('opens another workspace from the menu in the same window, with other kernels', async () => {
    dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: ['/other'] })
    click('Open Workspace…')
    await expect.poll(() => forked[0]?.postMessage).toHaveBeenLastCalledWith('stop')
    forked[0]?.emit('exit', 0)
    await expect.poll(() => window.webContents.reload).toHaveBeenCalledOnce()
    await ask('connect-host')
    expect(forked[1]?.args).toEqual(['--workspace=/other'])
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([false, true, false])
  })

  it('comes to the front when it is started again, and reloads only for something else', async () => {
    app.emit('second-instance', {}, [], '/', { workspace: '/other', notebook: null })
    await expect.poll(() => window.focus).toHaveBeenCalledOnce()
    expect(window.webContents.reload).not.toHaveBeenCalled()
  })

  it('tells the user when the store ends by itself, and gives the waiting page a new one', async () => {
    dialog.showMessageBox.mockResolvedValueOnce({ response: 0, checkboxChecked: false })
    forked[1]?.emit('exit', 139)
    await expect.poll(() => window.webContents.mainFrame.postMessage).toHaveBeenCalledOnce()
    expect(dialog.showMessageBox.mock.calls[0]?.[1].detail).toContain('139')
    expect(forked).toHaveLength(3)
    expect(window.webContents.reload).not.toHaveBeenCalled()
  })

  it('ends the kernels with the window', () => {
    window.destroy()
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
  })
})
