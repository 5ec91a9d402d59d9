import { BrowserWindow, MessageChannelMain, type WebFrameMain } from 'electron'
import { kernelsPortMessage, pagePortMessage } from '../bridge.ts'
import { answer } from '../gate.ts'
import { kernelsUrl } from '../protocol.ts'
import { webPreferences } from './page.ts'

/** The hidden window in which kernels live, so that they outlive reloads and crashes of the page. */
export interface KernelsWindow {
  /** Opens it, if it is not open. */
  open(): void
  /** Ends all kernels, and opens it anew, e.g. for another workspace. */
  renew(): void
  /** Ends all kernels and the window. */
  close(): void
}

/**
 * Answers pages that want kernels, and the window itself; `opened` is called with each window. One that has crashed is
 * gone: the next page that asks gets another.
 */
export function createKernelsWindow(preload: string, opened: (window: BrowserWindow) => void): KernelsWindow {
  let window: BrowserWindow | null = null
  /** The page of the hidden window, once it answers, and the callers that wait until then. */
  let kernels: WebFrameMain | null = null
  let waiting: WebFrameMain[] = []

  function open(): void {
    if (window) return
    const own = new BrowserWindow({
      show: false,
      focusable: false,
      skipTaskbar: true,
      webPreferences: webPreferences(preload),
    })
    window = own
    own.webContents.on('render-process-gone', () => {
      forget(own)
      setImmediate(() => own.destroy()) // not in an event of its own
    })
    own.on('closed', () => forget(own))
    opened(own)
    void own.loadURL(kernelsUrl)
  }

  function forget(own: BrowserWindow | null): void {
    if (window !== own) return
    window = null
    kernels = null
    if (waiting.length > 0) open()
  }

  function close(): void {
    const own = window
    waiting = []
    forget(own)
    own?.destroy()
  }

  function join(page: WebFrameMain, to: WebFrameMain): void {
    if (page.isDestroyed()) return // it was loaded again while it waited
    const { port1, port2 } = new MessageChannelMain()
    page.postMessage(kernelsPortMessage, null, [port2])
    to.postMessage(pagePortMessage, null, [port1])
  }

  answer('connect-kernels', ({ senderFrame: page }) => {
    if (!page) return
    open()
    if (kernels) join(page, kernels)
    else waiting.push(page)
  })
  answer('serve-kernels', ({ sender, senderFrame }) => {
    if (!senderFrame || sender !== window?.webContents) return
    kernels = senderFrame
    for (const page of waiting.splice(0)) join(page, senderFrame)
  })

  return {
    open,
    renew() {
      close()
      open()
    },
    close,
  }
}
