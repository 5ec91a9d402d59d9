import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type DesktopMachine,
  desktopObstacle,
  electronBinary,
  fetchElectron,
  hasDisplay,
} from '../../../app/electron/binary.ts'
import { freshFolder } from '../store/samples.ts'

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
