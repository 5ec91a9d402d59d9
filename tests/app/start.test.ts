import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DesktopMachine } from '../../app/electron/binary.ts'
import { buildStale, newest, openDesktop, serveWorkbench } from '../../app/start.ts'

const { openBrowser, buildApp } = vi.hoisted(() => ({ openBrowser: vi.fn(), buildApp: vi.fn(async (_: string) => {}) }))
vi.mock('../../app/server/browser.ts', () => ({ openBrowser }))
vi.mock('vite', () => ({
  createBuilder: async ({ configFile }: { configFile: string }) => ({ buildApp: () => buildApp(configFile) }),
}))

const print = vi.fn<(line: string) => void>()
let root: string
beforeEach(() => {
  vi.clearAllMocks()
  root = mkdtempSync(join(tmpdir(), 'mixlab-start-'))
  put('engine/nn/layers/dense.ts', 1000)
  put('renderer/main.tsx', 2000)
  put('dist/page/index.html', 500)
})

/** Writes a file with its time of modification, in seconds; that of its folder is old. */
function put(name: string, seconds: number): void {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  utimesSync(path, seconds, seconds)
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) utimesSync(folder, 100, 100)
}

function build() {
  return buildStale(print, root)
}

describe('newest', () => {
  it('is the latest of all files in all folders', () => {
    expect(newest([join(root, 'engine'), join(root, 'renderer')])).toBe(2_000_000)
    expect(newest([join(root, 'engine')])).toBe(1_000_000)
  })

  it('notices a deleted file', () => {
    rmSync(join(root, 'engine/nn/layers/dense.ts'))
    expect(newest([join(root, 'engine')])).toBeGreaterThan(2_000_000)
  })

  it('is 0 for nothing', () => {
    expect(newest([])).toBe(0)
    expect(newest([join(root, 'none')])).toBe(0)
  })
})

describe('buildStale', () => {
  it('builds page and desktop app once, with one line', async () => {
    await build()
    await build()
    expect(buildApp.mock.calls.flat()).toEqual([
      join(root, 'renderer/vite.config.ts'),
      join(root, 'app/electron/vite.config.ts'),
    ])
    expect(print.mock.calls).toEqual([['building the page...']])
  })

  it('builds again after an edit', async () => {
    put('dist/built', 3000)
    await build()
    expect(buildApp).not.toHaveBeenCalled()
    put('engine/nn/layers/dense.ts', 3001)
    await build()
    expect(buildApp).toHaveBeenCalledTimes(2)
  })

  it('builds again after a build that failed', async () => {
    buildApp.mockRejectedValueOnce(new Error('no disk'))
    await expect(build()).rejects.toThrow('no disk')
    await build()
    expect(buildApp).toHaveBeenCalledTimes(3)
  })
})

describe('the workbench', () => {
  /** Starts it, takes the printed lines up to the address, and stops it again. */
  async function use(start: (signal: AbortSignal) => Promise<void>, look: (url: URL) => Promise<void>) {
    const controller = new AbortController()
    const running = start(controller.signal)
    await expect.poll(() => print.mock.lastCall?.[0]).toMatch(/^http/)
    await look(new URL(print.mock.lastCall?.[0] ?? ''))
    controller.abort()
    await running
  }

  it('serves the page on the ready notebook until it is stopped', async () => {
    const workspace = join(root, 'workspace')
    await use(
      (signal) => serveWorkbench({ workspace, print, signal, root }),
      async (url) => {
        expect((await fetch(new URL('/index.html', url))).status).toBe(200)
        expect(readFileSync(join(workspace, 'first-comparison.ts'), 'utf8')).toContain('// %%')
      },
    )
    await expect(fetch(print.mock.lastCall?.[0] ?? '')).rejects.toThrow()
  })

  it('is served where it was before, with the same token, so that open pages go on', async () => {
    const workspace = join(root, 'workspace')
    const addresses: string[] = []
    for (let time = 0; time < 2; time++) {
      print.mockClear()
      await use(
        (signal) => serveWorkbench({ workspace, print, signal, root }),
        async (url) => void addresses.push(url.href),
      )
    }
    expect(addresses[1]).toBe(addresses[0])
  })

  it('is served elsewhere, with the same token, where the port is taken', async () => {
    const workspace = join(root, 'workspace')
    await use(
      (signal) => serveWorkbench({ workspace, print, signal, root }),
      async (first) => {
        print.mockClear()
        await use(
          (signal) => serveWorkbench({ workspace, print, signal, root }),
          async (second) => {
            expect(second.port).not.toBe(first.port)
            expect(second.hash).toBe(first.hash)
          },
        )
      },
    )
  })

  const machine: DesktopMachine = { platform: 'linux', env: { DISPLAY: ':0' }, user: 1000, interactive: false }
  const noBinary = { ...machine, env: { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: '/none' } }
  it.each([
    ['no display', { ...machine, env: {} }, false],
    ['Electron does not run sandboxed as root', { ...machine, user: 0 }, true],
    ['no Electron binary (npx install-electron gets it)', noBinary, true],
  ] as const)('is served where there is no window: %s', async (reason, given, browser) => {
    await use(
      (signal) => openDesktop({ workspace: join(root, 'workspace'), print, signal, root }, given),
      async (url) => {
        expect(print.mock.calls.flat()).toContain(`${reason}; serving in the browser instead`)
        expect(openBrowser.mock.calls).toEqual(browser ? [[url.href]] : [])
      },
    )
  })

  it('fails with the reason when the port cannot be had', async () => {
    const starting = serveWorkbench({ workspace: join(root, 'workspace'), port: -1, print, root })
    await expect(starting).rejects.toMatchObject({ code: 'option', path: 'port' })
  })
})
