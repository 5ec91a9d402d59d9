import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUrl } from '../../../../app/electron/protocol.ts'
import { denyNavigation, denyPermissions, openWindow, showWindow } from '../../../../app/electron/windows/page.ts'
import { freshFolder } from '../../store/samples.ts'
import { app, BrowserWindow, dialog, FakeWebContents, session, shell } from '../fake-electron.ts'

vi.mock('electron', () => import('../fake-electron.ts'))

beforeEach(() => {
  vi.clearAllMocks()
  app.removeAllListeners()
  const userData = freshFolder()
  app.getPath.mockReturnValue(userData)
})

function open(): BrowserWindow {
  return openWindow('/preload.cjs') as unknown as BrowserWindow
}

describe('openWindow', () => {
  it('shows the page in a sandbox', () => {
    const window = open()
    expect(window.loadURL).toHaveBeenCalledWith(pageUrl)
    expect(window.options.webPreferences).toMatchObject({
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
    })
  })

  it('appears when it has something to show', () => {
    const window = open()
    expect(window.options.show).toBe(false)
    expect(window.show).not.toHaveBeenCalled()
    window.emit('ready-to-show')
    expect(window.show).toHaveBeenCalledOnce()
  })

  it('opens where the last one was closed', () => {
    const first = open()
    first.maximized = true
    first.emit('close')
    const second = open()
    expect(second.options).toMatchObject(first.bounds)
    expect(second.maximized).toBe(true)
  })
})

it('showWindow brings a minimised window back', () => {
  const window = new BrowserWindow()
  showWindow(window.real)
  expect(window.restore).toHaveBeenCalledOnce()
  expect(window.focus).toHaveBeenCalledOnce()
})

describe('denyNavigation', () => {
  function contents(): FakeWebContents {
    denyNavigation()
    const created = new FakeWebContents()
    app.emit('web-contents-created', {}, created)
    return created
  }

  it.each(['https://evil.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'mixlab://other/', 'about:blank'])(
    'does not leave the page for %s',
    (url) => {
      const event = { url, preventDefault: vi.fn() }
      contents().emit('will-frame-navigate', event)
      expect(event.preventDefault).toHaveBeenCalledOnce()
    },
  )

  it('lets the page reload', () => {
    const event = { url: pageUrl, preventDefault: vi.fn() }
    contents().emit('will-frame-navigate', event)
    expect(event.preventDefault).not.toHaveBeenCalled()
  })

  it.each(['will-redirect', 'will-attach-webview'])('prevents %s', (name) => {
    const event = { url: pageUrl, preventDefault: vi.fn() }
    contents().emit(name, event)
    expect(event.preventDefault).toHaveBeenCalledOnce()
  })

  const follow = (...urls: string[]) => {
    const handler = contents().setWindowOpenHandler.mock.calls[0]?.[0]
    const details = { frameName: '', features: '', disposition: 'new-window', referrer: { url: '', policy: 'default' } }
    for (const url of urls)
      expect(handler?.({ ...details, url } as Electron.HandlerDetails)).toEqual({ action: 'deny' })
  }

  it('opens https links in the system browser after asking, and no window', async () => {
    dialog.showMessageBox.mockResolvedValue({ response: 0, checkboxChecked: false })
    follow('https://arxiv.org/abs/2105.08050', 'http://evil.example', 'file:///etc/passwd', 'rubbish')
    await expect.poll(() => shell.openExternal.mock.calls).toEqual([['https://arxiv.org/abs/2105.08050']])
    expect(dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: 'Open arxiv.org?', detail: 'https://arxiv.org/abs/2105.08050' }),
    )
  })

  it('opens nothing that the user does not want', async () => {
    dialog.showMessageBox.mockResolvedValue({ response: 1, checkboxChecked: false })
    follow('https://evil.example/?weights=0.1')
    await expect.poll(() => dialog.showMessageBox.mock.settledResults.length).toBe(1)
    expect(shell.openExternal).not.toHaveBeenCalled()
  })
})

it('denyPermissions allows writing text to the clipboard and notifications only', () => {
  denyPermissions()
  const request = session.defaultSession.setPermissionRequestHandler.mock.calls[0]?.[0]
  const check = session.defaultSession.setPermissionCheckHandler.mock.calls[0]?.[0]
  const contents = new FakeWebContents() as unknown as Electron.WebContents
  const details = {} as Electron.PermissionRequest
  for (const permission of ['media', 'geolocation', 'clipboard-read', 'openExternal'] as const) {
    const decide = vi.fn()
    request?.(contents, permission, decide, details)
    expect(decide).toHaveBeenCalledExactlyOnceWith(false)
    expect(check?.(contents, permission, pageUrl, {} as Electron.PermissionCheckHandlerHandlerDetails)).toBe(false)
  }
  for (const permission of ['clipboard-sanitized-write', 'notifications'] as const) {
    const decide = vi.fn()
    request?.(contents, permission, decide, details)
    expect(decide).toHaveBeenCalledExactlyOnceWith(true)
  }
})
