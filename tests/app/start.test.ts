import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DesktopMachine } from '../../app/electron/binary.ts'
import { newToken, rememberAddress } from '../../app/server/address.ts'
import { openDesktop, serveWorkbench } from '../../app/start.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { freshFolder } from './store/samples.ts'

const { openBrowser } = vi.hoisted(() => ({ openBrowser: vi.fn() }))
vi.mock('../../app/server/browser.ts', () => ({ openBrowser }))

const print = vi.fn<(line: string) => void>()
let root: string
beforeEach(() => {
  vi.clearAllMocks()
  root = freshFolder()
  mkdirSync(join(root, 'dist/page'), { recursive: true })
  writeFileSync(join(root, 'dist/page/index.html'), '')
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

  it('is shown where it is served already, and the second start ends', async () => {
    const workspace = join(root, 'workspace')
    await use(
      (signal) => serveWorkbench({ workspace, print, signal, root }),
      async (first) => {
        for (const [asked, place] of [
          [{}, ''],
          [{ notebook: 'a b.ts' }, '#/notebook/a%20b.ts'],
          [{ port: Number(first.port) }, ''],
        ] as const) {
          print.mockClear()
          openBrowser.mockClear()
          await serveWorkbench({ workspace, print, root, browser: true, ...asked })
          expect(print.mock.calls.flat()).toEqual([`${realpathSync(workspace)} is served already:`, first.href + place])
          expect(openBrowser.mock.calls).toEqual([[first.href + place]])
        }
      },
    )
  })

  it.each([{ port: 0 }, { newToken: true }, { data: ['.'] }])(
    'is served once more for who asks for what the first has not: %j',
    async (asked) => {
      const workspace = join(root, 'workspace')
      const start = (more: object) => (signal: AbortSignal) =>
        serveWorkbench({ workspace, print, signal, root, ...more })
      await use(start({}), async (first) => {
        print.mockClear()
        await use(start(asked), async (second) => {
          expect(second.port).not.toBe(first.port)
          expect(second.hash === first.hash).toBe(!('newToken' in asked))
        })
        await serveWorkbench({ workspace, print, root }) // finds the first
        expect(print.mock.lastCall).toEqual([first.href])
      })
    },
  )

  it('is served once where it is started twice at once', async () => {
    const workspace = join(root, 'workspace')
    const controller = new AbortController()
    const start = () => serveWorkbench({ workspace, print, signal: controller.signal, root })
    const both = [start(), start()]
    await Promise.race(both)
    const said = print.mock.calls.flat()
    expect(said.filter((line) => line.endsWith('is served already:'))).toHaveLength(1)
    expect(new Set(said.filter((line) => line.startsWith('http'))).size).toBe(1)
    controller.abort()
    await Promise.all(both)
  })

  it('is served where its port belongs to another program, or to a copy of the workspace', async () => {
    const workspace = join(root, 'workspace')
    const asked: (string | undefined)[] = []
    const stranger = createServer((request, response) => {
      asked.push(request.url, JSON.stringify(request.headers))
      response.end('anything')
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    const { inner } = openWorkspace(workspace)
    const token = newToken()
    rememberAddress(join(inner, 'address.json'), { port, token })
    await use(
      (signal) => serveWorkbench({ workspace, print, signal, root }),
      async (url) => expect(url.port).not.toBe(String(port)),
    )
    expect(asked.join()).toContain('/served?')
    expect(asked.join()).not.toContain(token)
    stranger.close()

    const copy = join(root, 'copy')
    await use(
      (signal) => serveWorkbench({ workspace, port: 0, print, signal, root }),
      async (url) => {
        cpSync(workspace, copy, { recursive: true })
        print.mockClear()
        await use(
          (signal) => serveWorkbench({ workspace: copy, print, signal, root }),
          async (own) => expect([own.port === url.port, own.hash]).toEqual([false, url.hash]),
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
