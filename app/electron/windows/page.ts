import { join } from 'node:path'
import { app, BrowserWindow, dialog, screen, session, shell, type WebContents, type WebPreferences } from 'electron'
import { isPage, pageUrl } from '../protocol.ts'
import { keepWindowState, readWindowState } from './state.ts'

/** Opens the window on the page, where it was when it was last closed. */
export function openWindow(preload: string): BrowserWindow {
  const stateFile = join(app.getPath('userData'), 'window.json')
  const { bounds, maximized } = readWindowState(
    stateFile,
    screen.getAllDisplays().map((display) => display.workArea),
  )
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 480,
    minHeight: 320,
    show: false,
    webPreferences: webPreferences(preload),
  })
  if (maximized) window.maximize()
  keepWindowState(window, stateFile)
  window.once('ready-to-show', () => window.show())
  void window.loadURL(pageUrl)
  return window
}

/** What a page may: nothing of Node, and of main what the preload script passes on. */
export function webPreferences(preload: string): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    backgroundThrottling: false, // training goes on while no window is to be seen
  }
}

/** Brings the window to the front. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.focus()
}

/** Keeps every web content on the page's origin; links to the web open in the system's browser, if they are https and the user agrees. */
export function denyNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-frame-navigate', (event) => {
      if (!isPage(event.url)) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(openOutside)
  })
}

/** The page needs no camera and no location; it notifies at the end of training, and writes to the clipboard after a click. */
export function denyPermissions(): void {
  const allowed = (permission: string) => permission === 'clipboard-sanitized-write' || permission === 'notifications'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide) => decide(allowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed(permission))
}

const openOutside: Parameters<WebContents['setWindowOpenHandler']>[0] = ({ url }) => {
  const address = URL.parse(url)
  if (address?.protocol === 'https:') void askAndOpen(address)
  return { action: 'deny' }
}

/** Whatever the page says, nothing leaves without the user having read where to. */
async function askAndOpen({ host, href }: URL): Promise<void> {
  const { response } = await dialog.showMessageBox({
    ...{ type: 'question', message: `Open ${host}?`, detail: href.slice(0, 500) },
    ...{ buttons: ['Open', 'Stay here'], defaultId: 1, cancelId: 1 },
  })
  if (response === 0) await shell.openExternal(href)
}
