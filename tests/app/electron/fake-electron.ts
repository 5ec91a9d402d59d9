import { EventEmitter } from 'node:events'
import type * as Electron from 'electron'
import { vi } from 'vitest'

/** Stands for the module electron in tests of the desktop app: `vi.mock('electron', () => import('./fake-electron.ts'))`. */

type Methods<Type, Names extends keyof Type> = Pick<Type, Names>

class FakeApp
  extends EventEmitter
  implements Methods<Electron.App, 'getPath' | 'quit' | 'requestSingleInstanceLock' | 'isPackaged' | 'whenReady'>
{
  isPackaged = false
  getPath = vi.fn((name: string) => `/${name}`)
  quit = vi.fn()
  disableDomainBlockingFor3DAPIs = vi.fn()
  switches = new Map<string, string>()
  commandLine = {
    hasSwitch: (name: string) => this.switches.has(name),
    appendSwitch: (name: string, value = '') => void this.switches.set(name, value),
  }
  requestSingleInstanceLock = vi.fn<Electron.App['requestSingleInstanceLock']>(() => true)
  becomeReady = () => {}
  whenReady = () =>
    new Promise<void>((resolve) => {
      this.becomeReady = resolve
    })
}
export const app = new FakeApp()

export const protocol = {
  registerSchemesAsPrivileged: vi.fn<Electron.Protocol['registerSchemesAsPrivileged']>(),
  handle: vi.fn<Electron.Protocol['handle']>(),
} satisfies Partial<Electron.Protocol>

export const ipcMain = { handle: vi.fn<Electron.IpcMain['handle']>() } satisfies Partial<Electron.IpcMain>

export const ipcRenderer = {
  invoke: vi.fn<Electron.IpcRenderer['invoke']>(),
  on: vi.fn<Electron.IpcRenderer['on']>(),
} satisfies Partial<Electron.IpcRenderer>

export const contextBridge = {
  exposeInMainWorld: vi.fn<Electron.ContextBridge['exposeInMainWorld']>(),
} satisfies Partial<Electron.ContextBridge>

export const dialog = {
  showOpenDialog: vi.fn(
    async (
      _window: Electron.BaseWindow,
      _options: Electron.OpenDialogOptions,
    ): Promise<Electron.OpenDialogReturnValue> => ({ canceled: true, filePaths: [] }),
  ),
  showSaveDialog: vi.fn(
    async (
      _window: Electron.BaseWindow,
      _options: Electron.SaveDialogOptions,
    ): Promise<Electron.SaveDialogReturnValue> => ({ canceled: true, filePath: '' }),
  ),
  showMessageBox: vi.fn(
    async (
      _window: Electron.BaseWindow,
      _options: Electron.MessageBoxOptions,
    ): Promise<Electron.MessageBoxReturnValue> => ({ response: 0, checkboxChecked: false }),
  ),
  showErrorBox: vi.fn<Electron.Dialog['showErrorBox']>(),
}

/** The power-save blockers in force. */
export const awake = new Set<number>()
let blockers = 0
export const powerSaveBlocker = {
  start: vi.fn<Electron.PowerSaveBlocker['start']>(() => {
    awake.add(++blockers)
    return blockers
  }),
  stop: vi.fn<Electron.PowerSaveBlocker['stop']>((id) => awake.delete(id)),
} satisfies Partial<Electron.PowerSaveBlocker>

export const shell = {
  openExternal: vi.fn<Electron.Shell['openExternal']>(async () => {}),
  openPath: vi.fn<Electron.Shell['openPath']>(async () => ''),
} satisfies Partial<Electron.Shell>

export const Menu = {
  buildFromTemplate: vi.fn((template: Electron.MenuItemConstructorOptions[]) => template),
  setApplicationMenu: vi.fn(),
}

export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] }

export const session = {
  defaultSession: {
    setPermissionRequestHandler: vi.fn<Electron.Session['setPermissionRequestHandler']>(),
    setPermissionCheckHandler: vi.fn<Electron.Session['setPermissionCheckHandler']>(),
  } satisfies Partial<Electron.Session>,
}

export class FakeWebContents
  extends EventEmitter
  implements Methods<Electron.WebContents, 'setWindowOpenHandler' | 'printToPDF' | 'reload' | 'send'>
{
  setWindowOpenHandler = vi.fn<Electron.WebContents['setWindowOpenHandler']>()
  reload = vi.fn<Electron.WebContents['reload']>()
  send = vi.fn<Electron.WebContents['send']>()
  mainFrame = { postMessage: vi.fn<Electron.WebFrameMain['postMessage']>() }
  printToPDF = vi.fn<Electron.WebContents['printToPDF']>(async () => Buffer.from('%PDF'))
}

/** Every window that was opened, in order. */
export const opened: BrowserWindow[] = []

export class BrowserWindow extends EventEmitter {
  options: Electron.BrowserWindowConstructorOptions
  webContents = new FakeWebContents()
  bounds = { x: 10, y: 20, width: 800, height: 600 }
  maximized = false
  loadURL = vi.fn<Electron.BrowserWindow['loadURL']>(async () => {})
  show = vi.fn<Electron.BrowserWindow['show']>()
  setProgressBar = vi.fn<Electron.BrowserWindow['setProgressBar']>()
  focus = vi.fn<Electron.BrowserWindow['focus']>()
  restore = vi.fn<Electron.BrowserWindow['restore']>()
  isMinimized = vi.fn<Electron.BrowserWindow['isMinimized']>(() => true)
  getTitle: Electron.BrowserWindow['getTitle'] = () => 'first'
  getNormalBounds: Electron.BrowserWindow['getNormalBounds'] = () => this.bounds
  isMaximized: Electron.BrowserWindow['isMaximized'] = () => this.maximized
  maximize: Electron.BrowserWindow['maximize'] = () => {
    this.maximized = true
  }
  destroyed = false
  isDestroyed: Electron.BrowserWindow['isDestroyed'] = () => this.destroyed
  destroy = vi.fn<Electron.BrowserWindow['destroy']>(() => {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('closed')
  })

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    this.options = options
    opened.push(this)
  }

  /** This window under the type that the app's functions take. */
  get real(): Electron.BrowserWindow {
    return this as unknown as Electron.BrowserWindow
  }
}

/** One end of a message channel, joined to `other`; it delivers at once, or when it is started. */
export class FakePort
  extends EventEmitter
  implements Methods<Electron.MessagePortMain, 'postMessage' | 'start' | 'close'>
{
  other: FakePort | null = null
  started = false
  waiting: unknown[] = []

  postMessage(message: unknown): void {
    this.other?.receive(structuredClone(message))
  }

  start(): void {
    this.started = true
    for (const message of this.waiting.splice(0)) this.receive(message)
  }

  close(): void {
    this.other?.emit('close')
  }

  receive(data: unknown): void {
    if (this.started) this.emit('message', { data, ports: [] })
    else this.waiting.push(data)
  }
}

export class MessageChannelMain {
  port1 = new FakePort()
  port2 = new FakePort()
  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}

export class FakeUtilityProcess
  extends EventEmitter
  implements Methods<Electron.UtilityProcess, 'postMessage' | 'kill'>
{
  script: string
  args: string[]
  postMessage = vi.fn<Electron.UtilityProcess['postMessage']>()
  kill = vi.fn<Electron.UtilityProcess['kill']>(() => true)
  constructor(script: string, args: string[]) {
    super()
    this.script = script
    this.args = args
  }
}

/** Every store process that was started, in order. */
export const forked: FakeUtilityProcess[] = []

export const utilityProcess = {
  fork(script: string, args: string[]): FakeUtilityProcess {
    const child = new FakeUtilityProcess(script, args)
    forked.push(child)
    return child
  },
}
