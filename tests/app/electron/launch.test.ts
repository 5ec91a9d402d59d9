import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type DesktopMachine,
  desktopObstacle,
  electronBinary,
  fetchElectron,
  hasDisplay,
} from '../../../app/electron/binary.ts'
import { graphicsSwitches, prepareGraphics } from '../../../app/electron/graphics.ts'
import { asLaunch, launchArguments, parseLaunch } from '../../../app/electron/launch.ts'
import { menuTemplate } from '../../../app/electron/menu.ts'
import { runElectron } from '../../../app/electron/run.ts'
import { isFirstInstance } from '../../../app/electron/single.ts'
import { freshFolder } from '../store/samples.ts'
import { app } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

describe('parseLaunch', () => {
  it('reads back what launchArguments wrote', () => {
    for (const launch of [
      { workspace: '/a b/=c', notebook: 'first.ts' },
      { workspace: '--odd', notebook: null },
    ])
      expect(parseLaunch(launchArguments(launch), '/default')).toEqual(launch)
  })

  it('takes both ways to write an option', () => {
    expect(parseLaunch(['--workspace', '/w', '--notebook', 'n.ts'], '/default')).toEqual({
      workspace: '/w',
      notebook: 'n.ts',
    })
  })

  it.each([
    [[]],
    [['--workspace']],
    [['--workspace=']],
    [['--user-data-dir=/tmp/x', '--enable-features=A,B', 'file', '-psn_0_1']],
  ])('falls back to the default for %j', (args) => {
    expect(parseLaunch(args, '/default')).toEqual({ workspace: '/default', notebook: null })
  })
})

describe('asLaunch', () => {
  it('takes a launch of another process', () => {
    expect(asLaunch({ workspace: '/w', notebook: 'n.ts' })).toEqual({ workspace: '/w', notebook: 'n.ts' })
    expect(asLaunch({ workspace: '/w' })).toEqual({ workspace: '/w', notebook: null })
  })

  it.each([undefined, null, '/w', {}, { workspace: 1 }, { workspace: '/w', notebook: 2 }])('refuses %j', (value) => {
    expect(asLaunch(value)).toBeNull()
  })
})

describe('the binary', () => {
  const linux: DesktopMachine = { platform: 'linux', env: { DISPLAY: ':0' }, user: 1000, interactive: false }

  let folder: string
  beforeEach(() => {
    folder = freshFolder()
  })

  function put(name: string, text = ''): string {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  describe('electronBinary', () => {
    it.each([
      ['linux', 'dist/electron'],
      ['win32', 'dist/electron.exe'],
      ['darwin', 'dist/Electron.app/Contents/MacOS/Electron'],
    ] as const)('finds the executable of %s in the package', (platform, name) => {
      const machine = { ...linux, platform }
      expect(electronBinary(machine, folder)).toBeNull()
      const path = put(name)
      expect(electronBinary(machine, folder)).toBe(path)
    })

    it('prefers the folder that ELECTRON_OVERRIDE_DIST_PATH names', () => {
      put('dist/electron')
      const other = put('other/electron')
      const env = { ELECTRON_OVERRIDE_DIST_PATH: dirname(other) }
      expect(electronBinary({ ...linux, env }, folder)).toBe(other)
      expect(electronBinary({ ...linux, env: { ELECTRON_OVERRIDE_DIST_PATH: '/none' } }, folder)).toBeNull()
    })

    it('is null without the package', () => {
      expect(electronBinary(linux, null)).toBeNull()
    })
  })

  describe('desktopObstacle', () => {
    it('is none for a user with a display', () => {
      expect(desktopObstacle(linux)).toBeNull()
      expect(desktopObstacle({ ...linux, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeNull()
      expect(desktopObstacle({ ...linux, platform: 'darwin', env: {} })).toBeNull()
      expect(desktopObstacle({ ...linux, platform: 'win32', env: {}, user: undefined })).toBeNull()
    })

    it('is a missing display on Linux', () => {
      expect(desktopObstacle({ ...linux, env: {} })).toBe('no display')
      expect(desktopObstacle({ ...linux, env: { DISPLAY: '' } })).toBe('no display')
      expect(hasDisplay({ ...linux, env: {} })).toBe(false)
    })

    it('is root on Linux, for the sandbox stays on', () => {
      expect(desktopObstacle({ ...linux, user: 0 })).toMatch(/as root/)
      expect(desktopObstacle({ ...linux, platform: 'darwin', env: {}, user: 0 })).toBeNull()
    })
  })

  describe('fetchElectron', () => {
    it('runs the script of the package', () => {
      put('package.json', '{ "type": "commonjs" }')
      put('install.js', "require('node:fs').writeFileSync(require('node:path').join(__dirname, 'got'), '')")
      expect(fetchElectron(folder)).toBeNull()
    })

    it('says in one line why it failed', () => {
      put('package.json', '{ "type": "commonjs" }')
      put('install.js', "console.error('no network\\n    at somewhere'); process.exit(1)")
      expect(fetchElectron(folder)).toBe('Electron could not be downloaded (no network)')
      put('install.js', 'process.exit(3)')
      expect(fetchElectron(folder)).toBe('Electron could not be downloaded (exit code 3)')
    })

    it('says so if there is no package', () => {
      expect(fetchElectron(null)).toBe('the package electron is not installed')
      expect(fetchElectron(folder)).toBe('the package electron is not installed')
    })
  })
})

const never = new AbortController().signal

/** Runs a program in place of Electron. */
function run(program: string, signal = never) {
  return runElectron(process.execPath, ['-e', program], signal)
}

describe('runElectron', () => {
  it('has nothing to say when the window was closed', async () => {
    expect(await run('')).toBeNull()
    expect(await run('process.exit(1)')).toBeNull()
  })

  it('says why Electron did not run', async () => {
    expect(await run('process.exit(127)')).toBe('Electron lacks a system library')
    expect(await runElectron('/no/such/electron', [], never)).toMatch(/^Electron cannot be started \(.*ENOENT/)
  })

  it.runIf(process.platform !== 'win32')('takes a crash for a reason', async () => {
    expect(await run("process.kill(process.pid, 'SIGKILL')")).toBe('Electron ended with SIGKILL')
  })

  it('ends Electron when it is interrupted', async () => {
    const controller = new AbortController()
    const ending = run('setInterval(() => {}, 1000)', controller.signal)
    controller.abort()
    expect(await ending).toBeNull()
  })
})

describe('a second start', () => {
  const launch = { workspace: '/w', notebook: null }
  beforeEach(() => {
    vi.clearAllMocks()
    app.removeAllListeners()
  })

  it('goes on as the first', () => {
    expect(isFirstInstance(launch, () => {})).toBe(true)
    expect(app.quit).not.toHaveBeenCalled()
  })

  it('hands its launch to the first and quits as the second', () => {
    app.requestSingleInstanceLock.mockReturnValueOnce(false)
    expect(isFirstInstance(launch, () => {})).toBe(false)
    expect(app.requestSingleInstanceLock).toHaveBeenCalledWith(launch)
    expect(app.quit).toHaveBeenCalledOnce()
  })

  it('opens what a second one was started with, if it makes sense', () => {
    const openOther = vi.fn()
    isFirstInstance(launch, openOther)
    app.emit('second-instance', {}, [], '/', { workspace: '/other', notebook: null })
    app.emit('second-instance', {}, [], '/', { workspace: 7 })
    expect(openOther.mock.calls).toEqual([[{ workspace: '/other', notebook: null }]])
  })
})

describe('graphicsSwitches', () => {
  const crashes = 'disable-gpu-process-crash-limit'
  it.each([
    ['linux', true, [crashes, 'enable-features', 'enable-unsafe-webgpu']],
    ['linux', false, [crashes]],
    ['darwin', false, [crashes, 'force_high_performance_gpu']],
    ['win32', false, [crashes, 'force_high_performance_gpu']],
  ] as const)('are on %s, with a card: %s, %j', (platform, card, names) => {
    expect(Object.keys(graphicsSwitches(platform, card)).sort()).toEqual(names)
  })
})

it('prepareGraphics leaves what the user gave, and lets the page compute after a crash', () => {
  app.switches.set('enable-features', 'Mine')
  prepareGraphics(app as unknown as Electron.App, 'linux', true)
  expect(Object.fromEntries(app.switches)).toEqual({
    'disable-gpu-process-crash-limit': '',
    'enable-features': 'Mine',
    'enable-unsafe-webgpu': '',
  })
  expect(app.disableDomainBlockingFor3DAPIs).toHaveBeenCalledOnce()
})

const actions = { openWorkspace: vi.fn(), showWorkspace: vi.fn(), exportPdf: vi.fn() }

function itemsOf(menu: MenuItemConstructorOptions | undefined): MenuItemConstructorOptions[] {
  return Array.isArray(menu?.submenu) ? menu.submenu : []
}

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  const menus = menuTemplate(actions, platform)

  it('has the menus of the platform in its order', () => {
    const names = menus.map(({ label, role }) => label ?? role)
    const own = ['&File', 'editMenu', '&View', 'windowMenu', 'help']
    expect(names).toEqual(platform === 'darwin' ? ['appMenu', ...own] : own)
  })

  it('has something to do in each item', () => {
    for (const item of menus.flatMap(itemsOf)) expect(item.role ?? item.click ?? item.type).toBeDefined()
  })

  it('can be left', () => {
    expect(menus.flatMap(itemsOf).map(({ role }) => role)).toContain(platform === 'darwin' ? 'close' : 'quit')
  })
})
