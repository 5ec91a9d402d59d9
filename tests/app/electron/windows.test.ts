import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { kernelsUrl, pageUrl } from '../../../app/electron/protocol.ts'
import { createKernelsWindow, type KernelsWindow } from '../../../app/electron/windows/kernels.ts'
import { denyNavigation, denyPermissions, openWindow, showWindow } from '../../../app/electron/windows/page.ts'
import { keepWindowState, readWindowState } from '../../../app/electron/windows/state.ts'
import { followTraining } from '../../../app/electron/windows/training.ts'
import { freshFolder } from '../store/samples.ts'
import { type AskingFrame, askMain } from './ask-main.ts'
import {
  app,
  awake,
  BrowserWindow,
  dialog,
  type FakePort,
  FakeWebContents,
  ipcMain,
  opened,
  powerSaveBlocker,
  session,
  shell,
} from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

describe('the window of the page', () => {
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
      const details = {
        frameName: '',
        features: '',
        disposition: 'new-window',
        referrer: { url: '', policy: 'default' },
      }
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
})

describe('the place of a window', () => {
  const left = { x: 0, y: 25, width: 1920, height: 1055 }
  const right = { x: 1920, y: 0, width: 1280, height: 1024 }
  const initial = { bounds: { width: 1280, height: 860 }, maximized: false }

  let file: string
  beforeEach(() => {
    file = join(freshFolder(), 'window.json')
  })

  function read(bounds: unknown, displays = [left, right]) {
    writeFileSync(file, JSON.stringify({ bounds, maximized: false }))
    return readWindowState(file, displays)
  }

  it('closes even if its state cannot be kept', () => {
    const window = new BrowserWindow()
    keepWindowState(window.real, join(file, 'impossible'))
    expect(() => window.emit('close')).not.toThrow()
  })

  describe('readWindowState', () => {
    it('starts with the initial state', () => {
      expect(readWindowState(file, [left])).toEqual(initial)
    })

    it('accepts windows that reach over the edge or stand on the second display', () => {
      for (const bounds of [
        { x: -600, y: 100, width: 800, height: 600 },
        { x: 1800, y: 100, width: 800, height: 600 },
        { x: 2000, y: 0, width: 800, height: 2000 },
      ])
        expect(read(bounds).bounds).toEqual(bounds)
    })

    it('brings back windows whose title bar is out of reach', () => {
      for (const bounds of [
        { x: -790, y: 100, width: 800, height: 600 },
        { x: 100, y: 0, width: 800, height: 600 },
        { x: 100, y: 1075, width: 800, height: 600 },
        { x: 5000, y: 100, width: 800, height: 600 },
      ])
        expect(read(bounds)).toEqual(initial)
      expect(read({ x: 2000, y: 100, width: 800, height: 600 }, [left])).toEqual(initial)
    })

    it.each([
      null,
      'full',
      {},
      { width: 800, height: 600 },
      { x: '0', y: 0, width: 800, height: 600 },
      { x: 0.5, y: 30, width: 800, height: 600 },
      { x: 0, y: 30, width: 10, height: 600 },
      { x: 0, y: 30, width: -800, height: 600 },
    ])('does not trust the bounds %j', (bounds) => {
      expect(read(bounds)).toEqual(initial)
    })

    it.each(['', '{', 'null', '[]'])('does not trust a file with %j', (text) => {
      writeFileSync(file, text)
      expect(readWindowState(file, [left])).toEqual(initial)
    })
  })
})

describe('the window of kernels', () => {
  const followed = vi.fn()
  let kernels: KernelsWindow
  beforeEach(() => {
    vi.clearAllMocks()
    opened.length = 0
    kernels = createKernelsWindow('/preload.cjs', followed)
  })

  /** A frame of a page, with the ports that it was given. */
  function frame(url = pageUrl) {
    const given: [string, FakePort | undefined][] = []
    const postMessage = (channel: string, _: unknown, ports: unknown[]) =>
      void given.push([channel, ports[0] as FakePort | undefined])
    return { url, parent: null, postMessage, isDestroyed: () => false, given }
  }

  const ask = (page: AskingFrame) => askMain('connect-kernels', [], page)
  const serve = (own: AskingFrame, window: BrowserWindow | undefined) =>
    askMain('serve-kernels', [], own, window?.webContents)

  it('opens one hidden window in a sandbox, however many pages ask', async () => {
    kernels.open()
    await ask(frame())
    await ask(frame())
    expect(opened).toHaveLength(1)
    expect(opened[0]?.loadURL.mock.calls).toEqual([[kernelsUrl]])
    expect(opened[0]?.options).toMatchObject({ show: false, focusable: false, skipTaskbar: true })
    expect(opened[0]?.options.webPreferences).toEqual({
      ...{ preload: '/preload.cjs', sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true },
      backgroundThrottling: false,
    })
    expect(followed.mock.calls).toEqual([[opened[0]]])
    expect(opened[0]?.show).not.toHaveBeenCalled()
  })

  it('gives page and kernels the ends of a channel, as soon as the window can be spoken to', async () => {
    const [page, own] = [frame(), frame(kernelsUrl)]
    await ask(page)
    expect(page.given).toEqual([])
    await serve(own, opened[0])
    expect([page, own].map(({ given }) => given.map(([channel]) => channel))).toEqual([
      ['mixlab:kernels'],
      ['mixlab:page'],
    ])
    expect(page.given[0]?.[1]?.other).toBe(own.given[0]?.[1])
  })

  it('stays as it is when the page is loaded again or crashes, which then gets another port', async () => {
    const [page, again, own] = [frame(), frame(), frame(kernelsUrl)]
    await ask(page)
    await serve(own, opened[0])
    await ask(again)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.destroy).not.toHaveBeenCalled()
    expect(again.given).toHaveLength(1)
    expect(own.given).toHaveLength(2)
  })

  it('gives nothing to a page that is gone, nor to another window that says that it has kernels', async () => {
    const [gone, own, other] = [{ ...frame(), isDestroyed: () => true }, frame(kernelsUrl), frame(kernelsUrl)]
    await ask(gone)
    await serve(other, undefined)
    await serve(own, opened[0])
    expect([gone.given, own.given, other.given]).toEqual([[], [], []])
  })

  it('is another one after a crash, for the next page that asks, and at once for one that waits', async () => {
    await ask(frame())
    await serve(frame(kernelsUrl), opened[0])
    opened[0]?.webContents.emit('render-process-gone', {}, { reason: 'oom' })
    await expect.poll(() => opened[0]?.destroyed).toBe(true)
    expect(opened).toHaveLength(1)
    const [page, own] = [frame(), frame(kernelsUrl)]
    await ask(page)
    expect(opened).toHaveLength(2)
    opened[1]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(opened).toHaveLength(3)
    await expect.poll(() => opened[1]?.destroyed).toBe(true)
    await serve(own, opened[2])
    expect([page.given.length, own.given.length, followed.mock.calls.length]).toEqual([1, 1, 3])
  })

  it('ends with the application, and begins anew with another workspace', async () => {
    kernels.open()
    kernels.renew()
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, false])
    kernels.close()
    kernels.close()
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })
})

describe('training', () => {
  let window: BrowserWindow
  let kernels: BrowserWindow
  beforeEach(() => {
    vi.clearAllMocks()
    awake.clear()
    window = new BrowserWindow()
    kernels = new BrowserWindow()
    followTraining(window.real)(kernels.real)
  })

  const show = (fraction: unknown, by = window) => askMain('show-training', [fraction], undefined, by.webContents)
  const end = (by: BrowserWindow) => askMain('training-ended', [], undefined, by.webContents)
  const event = () => ({ preventDefault: vi.fn() })
  /** Answers the next question with the button at a place. */
  const choose = (response: number) => dialog.showMessageBox.mockResolvedValueOnce({ response, checkboxChecked: false })

  describe('training in the window', () => {
    it('is shown on the taskbar and keeps the machine awake until it ends', async () => {
      await show(0)
      await show(0.5)
      expect(window.setProgressBar.mock.calls).toEqual([[0], [0.5]])
      expect(powerSaveBlocker.start.mock.calls).toEqual([['prevent-app-suspension']])
      expect(awake.size).toBe(1)
      await show(null)
      expect(window.setProgressBar).toHaveBeenLastCalledWith(-1)
      expect(awake.size).toBe(0)
      await show('much')
      expect(awake.size).toBe(0)
    })

    it('goes on in a page that is loaded again after a crash; without training nothing happens', async () => {
      window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
      expect(window.webContents.reload).not.toHaveBeenCalled()
      await show(0.5)
      window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
      expect(window.webContents.reload).toHaveBeenCalledOnce()
      expect(awake.size).toBe(0)
    })

    it('counts in either window: one that only the kernels know of keeps the machine awake, too', async () => {
      await show(0.25, kernels)
      await show(0.5)
      await show(0.75, kernels)
      expect(window.setProgressBar.mock.calls).toEqual([[0.25], [0.5], [0.5]])
      await show(null) // the page shows another notebook
      expect(window.setProgressBar).toHaveBeenLastCalledWith(0.75)
      expect([awake.size, powerSaveBlocker.start.mock.calls.length]).toEqual([1, 1])
      window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
      expect([window.webContents.reload.mock.calls.length, awake.size]).toEqual([1, 1])
      kernels.destroy()
      expect(awake.size).toBe(0)
    })

    it('lets the machine sleep when the window has gone', async () => {
      await show(0.5)
      window.emit('closed')
      expect(awake.size).toBe(0)
    })

    it('does not keep a page from being loaded again', async () => {
      const [idle, training] = [event(), event()]
      window.webContents.emit('will-prevent-unload', idle)
      await show(0.5)
      window.webContents.emit('will-prevent-unload', training)
      expect(idle.preventDefault).not.toHaveBeenCalled()
      expect(training.preventDefault).toHaveBeenCalledOnce()
    })
  })

  describe('closing the window', () => {
    it('asks nothing where nothing is in training', () => {
      const closing = event()
      window.emit('close', closing)
      expect(closing.preventDefault).not.toHaveBeenCalled()
    })

    it.each([
      ['leave', 0],
      ['stop', 1],
    ] as const)('asks while training, and quits once page and kernels have ended it: %s', async (how, response) => {
      await show(0.5)
      choose(response)
      const [first, again, last] = [event(), event(), event()]
      window.emit('close', first)
      window.emit('close', again) // while it is asked
      expect([first, again].map(({ preventDefault }) => preventDefault.mock.calls.length)).toEqual([1, 1])
      for (const { webContents } of [window, kernels]) {
        await expect.poll(() => webContents.send.mock.calls).toEqual([['mixlab:end-training', how]])
      }
      expect(dialog.showMessageBox).toHaveBeenCalledOnce()
      expect(app.quit).not.toHaveBeenCalled()
      await end(window)
      await end(window)
      expect(app.quit).not.toHaveBeenCalled()
      await end(kernels)
      await expect.poll(() => app.quit.mock.calls.length).toBe(1)
      for (const each of [window, kernels]) each.emit('close', last)
      expect(last.preventDefault).not.toHaveBeenCalled()
    })

    it('is asked once where both windows are closed, as when the application quits', async () => {
      await show(0.5, kernels)
      choose(2)
      const closing = [window, kernels].map((each) => {
        const own = event()
        each.emit('close', own)
        return own.preventDefault.mock.calls.length
      })
      expect(closing).toEqual([1, 1])
      await expect.poll(() => dialog.showMessageBox.mock.calls.length).toBe(1)
    })

    it('does not wait for kernels that are gone', async () => {
      await show(0.5)
      choose(1)
      window.emit('close', event())
      await expect.poll(() => kernels.webContents.send.mock.calls.length).toBe(1)
      await end(window)
      kernels.destroy()
      await expect.poll(() => app.quit.mock.calls.length).toBe(1)
    })

    it('is not done where the user changes their mind', async () => {
      await show(0.5)
      choose(2)
      window.emit('close', event())
      await expect.poll(() => dialog.showMessageBox.mock.calls.length).toBe(1)
      expect([app.quit.mock.calls, window.webContents.send.mock.calls]).toEqual([[], []])
      choose(2)
      await expect
        .poll(() => {
          window.emit('close', event())
          return dialog.showMessageBox.mock.calls.length
        })
        .toBe(2)
    })

    it('does not wait for a page that does not answer', async () => {
      vi.useFakeTimers()
      await show(0.5)
      choose(0)
      window.emit('close', event())
      await vi.advanceTimersByTimeAsync(10_000)
      expect(app.quit).toHaveBeenCalledOnce()
      vi.useRealTimers()
    })
  })

  it('main answers for training on two channels', () => {
    expect(ipcMain.handle.mock.calls.map(([channel]) => channel)).toEqual(['show-training', 'training-ended'])
  })
})
