import { registerHooks } from 'node:module'

/** What cells, and libraries for them, may call of `process`. All else reaches other processes, the system, or Node's modules. */
const ALLOWED_PROCESS_MEMBERS = new Set([
  ...['nextTick', 'hrtime', 'uptime', 'cwd', 'emitWarning', '_fatalException'],
  ...['memoryUsage', 'cpuUsage', 'constrainedMemory', 'availableMemory'],
])

/** The rights that a process of cells is started with, and gives up. */
const STARTED_WITH = ['addon', 'worker', 'fs']

/** All that may not be left. */
const SCOPES = ['fs', 'fs.read', 'fs.write', 'net', 'child', 'worker', 'addon', 'wasi', 'inspector', 'ffi']

/** Gives up all rights of this thread, for good, and shuts its doors. Threads that run and a device that is open stay. */
export function confine(): void {
  dropRights()
  removeForbiddenGlobals()
}

/** The same in a thread of such a process, which has rights of its own; nothing in a thread of another one. */
export function confineThread(): void {
  if ('permission' in process) confine()
}

/** Gives up what Node's permissions know of, thread by thread: files, network, child processes, addons, threads. Throws where one stays. */
export function dropRights(): void {
  const { permission } = process as unknown as { permission?: Permission }
  if (!permission) throw new Error('this process was started without --permission')
  for (const scope of STARTED_WITH) permission.drop(scope)
  const left = SCOPES.filter((scope) => permission.has(scope))
  if (left.length > 0) throw new Error(`cells would have ${left.join(', ')}`)
}

/**
 * Removes the globals by which code could signal other processes or reach Node's own modules, since some of these check
 * no permission.
 */
function removeForbiddenGlobals(): void {
  registerHooks({
    resolve(module) {
      throw new Error(`'${module}' cannot be loaded by a cell`)
    },
  })
  Object.defineProperty(process, 'report', { value: undefined }) // it has the environment, and paths of this machine
  for (const name of Object.getOwnPropertyNames(process)) {
    const { get, value } = Object.getOwnPropertyDescriptor(process, name) ?? {}
    if (get || typeof value !== 'function' || ALLOWED_PROCESS_MEMBERS.has(name)) continue
    const refuse = () => {
      throw new Error(`process.${name} is not for cells`)
    }
    Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false })
  }
}

interface Permission {
  has(scope: string): boolean
  drop(scope: string): void
}
