import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Opens a pipe without waiting for its other end. Windows has no such option, and no such pipes among its files. */
export const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The bytes of a file of somebody else. Throws as `node:fs` does, and for a pipe, a device and a folder. */
export function readRegularFile(path: string): Buffer<ArrayBuffer> {
  const file = openSync(path, WITHOUT_WAITING)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw Object.assign(new Error(), { code: found.isDirectory() ? 'EISDIR' : 'NOT_REGULAR' })
    return readFileSync(file) as Buffer<ArrayBuffer>
  } finally {
    closeSync(file)
  }
}
