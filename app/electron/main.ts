import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, type BrowserWindow, shell } from 'electron'
import { defaultWorkspace } from '../ready.ts'
import { answerDialogs, chooseFolder, exportPdf } from './dialogs.ts'
import { prepareGraphics } from './graphics.ts'
import { answerHost, giveHost } from './host-port.ts'
import { type Launch, parseLaunch } from './launch.ts'
import { setMenu } from './menu.ts'
import { registerScheme, servePage } from './protocol.ts'
import { stopBeforeQuit } from './quit.ts'
import { isFirstInstance } from './single.ts'
import { createStoreProcess, type StoreEnding } from './store-process.ts'
import { showStoreTrouble } from './store-trouble.ts'
import { createKernelsWindow, type KernelsWindow } from './windows/kernels.ts'
import { denyNavigation, denyPermissions, openWindow, showWindow } from './windows/page.ts'
import { followTraining } from './windows/training.ts'

const dist = join(import.meta.dirname, '..')
const args = process.argv.slice(app.isPackaged ? 1 : 2)
const launch = parseLaunch(args, defaultWorkspace(process.env, homedir()))
const scripts = { store: join(dist, 'electron/store.js'), query: join(dist, 'electron/query.js') }
const store = createStoreProcess(scripts, launch, reportStore)
let window: BrowserWindow | null = null
let kernels: KernelsWindow | null = null

// Electron is ready only after this module has been evaluated, so nothing here may wait for it
if (isFirstInstance(launch, startAgain)) {
  prepareGraphics(app)
  registerScheme()
  denyNavigation()
  stopBeforeQuit(store)
  app.whenReady().then(() => {
    servePage(join(dist, 'page'))
    denyPermissions()
    const preload = join(dist, 'electron/preload.cjs')
    window = openWindow(preload)
    answerDialogs(window)
    answerHost(store)
    kernels = createKernelsWindow(preload, followTraining(window))
    kernels.open()
    window.on('closed', kernels.close)
    setMenu({
      openWorkspace: chooseWorkspace,
      showWorkspace: () => shell.openPath(store.launch().workspace),
      exportPdf: () => window && exportPdf(window),
    })
  })
}

async function openWorkspace(next: Launch): Promise<void> {
  await store.move(next)
  kernels?.renew()
  window?.webContents.reload()
}

async function chooseWorkspace(): Promise<void> {
  const workspace = window && (await chooseFolder(window, 'Open Workspace'))
  if (workspace) await openWorkspace({ workspace, notebook: null })
}

/** The user has started the app again, perhaps on another workspace. */
async function startAgain(next: Launch): Promise<void> {
  if (window) showWindow(window)
  if (next.workspace !== store.launch().workspace || next.notebook !== null) await openWorkspace(next)
}

/** The page stays as it is, with what is not saved yet: it waits for the host. */
async function restartStore(): Promise<void> {
  await store.move(store.launch())
  if (window) giveHost(window.webContents.mainFrame, store)
}

function reportStore(ending: StoreEnding): void {
  if (!window) return
  void showStoreTrouble(window, ending, {
    restart: restartStore,
    openWorkspace: chooseWorkspace,
    quit: () => app.quit(),
  })
}
