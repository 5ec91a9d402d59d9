import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What decides whether the desktop window can be opened. */
export interface DesktopMachine {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  /** Numeric user id; undefined where there is none, on Windows. */
  user: number | undefined
  /** Somebody sits at the terminal. */
  interactive: boolean
}

/** Folder of the npm package electron; null if it is not installed. */
function electronPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    return null
  }
}

/** Where the package keeps the executable inside its `dist` folder. */
const executables: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}

/** Path of the Electron executable, which the npm package electron does not bring along; null if it is not there. */
export function electronBinary({ platform, env }: DesktopMachine, folder = electronPackage()): string | null {
  const dist = env.ELECTRON_OVERRIDE_DIST_PATH ?? (folder && join(folder, 'dist'))
  const binary = dist && join(dist, executables[platform] ?? 'electron')
  return binary && existsSync(binary) ? binary : null
}

/** Whether windows can be shown. */
export function hasDisplay({ platform, env }: DesktopMachine): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Why no desktop window can be opened on this machine, whatever is installed; null if one can. */
export function desktopObstacle(machine: DesktopMachine): string | null {
  if (!hasDisplay(machine)) return 'no display'
  // --no-sandbox would let it start, and take the walls down that hold foreign notebooks
  if (machine.platform === 'linux' && machine.user === 0) return 'Electron does not run sandboxed as root'
  return null
}

/** Downloads the Electron executable with the script of its package. Returns why that failed, or null. */
export function fetchElectron(folder = electronPackage()): string | null {
  const script = folder && join(folder, 'install.js')
  if (!script || !existsSync(script)) return 'the package electron is not installed'
  const { status, stderr } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'pipe'] })
  if (status === 0) return null
  return `Electron could not be downloaded (${stderr.toString().trim().split('\n')[0] || `exit code ${status}`})`
}
