import { flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../engine/errors.ts'
import { alone } from './alone.ts'
import { buildStale } from './build.ts'
import { type DesktopMachine, desktopObstacle, electronBinary, fetchElectron, hasDisplay } from './electron/binary.ts'
import { launchArguments } from './electron/launch.ts'
import { runElectron } from './electron/run.ts'
import { openHost } from './host.ts'
import { openQueueOfPage } from './queue/owner/setting.ts'
import { defaultWorkspace, ensureReadyNotebook } from './ready.ts'
import { findServed, recallAddress, rememberAddress } from './server/address.ts'
import { openBrowser } from './server/browser.ts'
import { type ServeOptions, serve, type WorkbenchServer } from './server/serve.ts'
import { startReader } from './store/index.ts'
import { openWorkspace } from './workspace/index.ts'

export interface WorkbenchOptions {
  workspace: string
  /** The notebook to show first; left out: the one last written. */
  notebook?: string
  /** Of the server; left out: the one that the workspace had last, or else one that is free. */
  port?: number
  /** Called with the address and with reasons, line by line; left out: standard output. */
  print?: (line: string) => void
  /** Ends window or server; left out: Ctrl-C or a termination signal does. */
  signal?: AbortSignal
  /** The folder with sources and dist/; by default the one of this file. */
  root?: string
}

export interface ServeWorkbenchOptions extends WorkbenchOptions {
  /** Files and folders outside the workspace that notebooks may read. */
  data?: string[]
  /** Lets notebooks read every file that the user can read. */
  unrestricted?: boolean
  /** Serves with another token than last time: pages that are still open have to be opened again. */
  newToken?: boolean
  /** Also shows the page in the system's browser. */
  browser?: boolean
}

const thisRoot = resolve(import.meta.dirname, '..')
const thisMachine: DesktopMachine = {
  platform: process.platform,
  env: process.env,
  user: process.getuid?.(),
  interactive: process.stdin.isTTY && process.stdout.isTTY,
}

/** Opens the desktop window and waits for its end; where there can be none, says why and serves in the browser. */
export async function openDesktop(options: WorkbenchOptions, machine = thisMachine): Promise<void> {
  const { workspace, notebook = null, print = console.log, signal = interruption(), root = thisRoot } = options
  let reason = desktopObstacle(machine)
  if (!reason && !electronBinary(machine)) reason = getElectron(machine, print)
  const binary = electronBinary(machine)
  if (!reason && binary) {
    await buildStale(print, root, signal)
    const launch = launchArguments({ workspace: resolve(workspace), notebook })
    reason = await runElectron(binary, [root, ...launch], signal)
  }
  if (!reason) return
  print(`${reason}; serving in the browser instead`)
  await serveWorkbench({ ...options, signal, browser: hasDisplay(machine) })
}

/**
 * Serves the workbench on this machine until interrupted, and then closes the host; where the workspace is served
 * already, as asked, says where and returns. Throws MixlabError.
 */
export async function serveWorkbench(options: ServeWorkbenchOptions): Promise<void> {
  const { workspace, data = [], unrestricted = false, browser = false } = options
  const { print = console.log, signal = interruption(), root = thisRoot } = options
  const { inner, root: folder } = openWorkspace(workspace)
  const address = join(inner, 'address.json')
  const own = options.newToken || data.length > 0 || unrestricted // what another server of the workspace has not
  const elsewhere = async () => (own ? null : findServed(address, folder, options.port))
  const show = (url: string, already: boolean) => {
    if (already) print(`${folder} is served already:`)
    const place = options.notebook === undefined ? '' : `#/notebook/${encodeURIComponent(options.notebook)}`
    print(url + place)
    if (browser) openBrowser(url + place)
  }
  const before = await elsewhere()
  if (before) return show(before, true)
  await buildStale(print, root, signal)
  const ready = ensureReadyNotebook(workspace)
  const host = openHost({
    workspace,
    notebook: options.notebook ?? ready,
    data,
    unrestricted,
    startReader,
    openQueue: openQueueOfPage,
  })
  try {
    const serving = { host, page: join(root, 'dist/page') }
    const lock = join(inner, 'address.lock')
    const served = await alone(lock, async () => {
      const known = await elsewhere()
      if (known) return known
      const isFirst = (await findServed(address, folder)) === null
      return serveAgain(serving, options, address, isFirst)
    })
    if (typeof served === 'string') return show(served, true)
    show(served.url, false)
    flushCompileCache() // it may be killed in the end
    await aborted(signal)
    await served.close()
  } finally {
    host.close()
  }
}

/**
 * Serves with the token, and unless `asked` names another on the port, that the workspace had last: pages that are still
 * open then go on by themselves. Where another server of the workspace runs, its address is kept, unless the token is new.
 */
async function serveAgain(
  options: ServeOptions,
  { port: asked, newToken = false }: ServeWorkbenchOptions,
  file: string,
  isFirst: boolean,
): Promise<WorkbenchServer> {
  const { port, token } = recallAddress(file, newToken)
  const server = await serve({ ...options, port: asked ?? port, token }).catch((error) => {
    if (asked !== undefined || port === 0) throw error
    return serve({ ...options, token }) // another program has taken the port
  })
  if ((isFirst || newToken) && (asked !== undefined || port === 0 || port === server.port))
    rememberAddress(file, { port: server.port, token })
  return server
}

/** Gets the Electron executable if a user sits at the terminal. Returns why there is none, or null. */
function getElectron({ interactive }: DesktopMachine, print: (line: string) => void): string | null {
  if (!interactive) return 'no Electron binary (npx install-electron gets it)'
  print('getting Electron...')
  return fetchElectron()
}

function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ options: { workspace: { type: 'string' }, port: { type: 'string' } } })
    await openDesktop({
      workspace: resolve(values.workspace ?? defaultWorkspace(process.env, homedir())),
      ...(values.port === undefined ? {} : { port: Number(values.port) }),
    })
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = 1
  }
}
