import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { findBrowser } from './browser.ts'
import { PATIENCE } from './patience.ts'

const root = resolve(import.meta.dirname, '..')

const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** How the browser is started, with `more` of its switches. */
function launchOptions(more: readonly string[]) {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no Chromium or Chrome found; MIXLAB_BROWSER names one')
  const args = [...FLAGS, '--disable-component-update', '--disable-sync', ...more]
  return { executablePath, args, timeout: PATIENCE }
}

/** Starts the browser, with `more` of its switches. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch(launchOptions(more))
}

/** Starts the browser with a profile, and `more` of its switches, which keeps what the browser has compiled of the page. The profile is deleted at the end. */
export function launchProfile(options: BrowserContextOptions, more: readonly string[] = []): Promise<BrowserContext> {
  return chromium.launchPersistentContext('', { ...launchOptions(more), ...options })
}

export interface Served {
  /** Resolves with the address of the page; rejects where the server ends before it has one. */
  url: Promise<string>
  process: ChildProcess
}

/** Starts `mixlab serve` on a workspace, with `more` of its options; whoever starts it ends it. */
export function startServer(workspace: string, ...more: string[]): Served {
  const child = spawn(process.execPath, [join(root, 'app/mixlab.js'), 'serve', '--workspace', workspace, ...more])
  let said = ''
  const url = new Promise<string>((found, fail) => {
    const listen = (data: Buffer) => {
      said += data
      const [address] = /http:\/\/\S+/.exec(said) ?? []
      if (address) found(address)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => fail(new Error(`mixlab serve ended with ${code}: ${said}`)))
  })
  return { url, process: child }
}
