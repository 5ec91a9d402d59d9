import type * as Fs from 'node:fs'
import { dirname } from 'node:path'

// The test's own `node:fs` is the failing one.
const fs = process.getBuiltinModule('node:fs')

/** What goes wrong: the machine dies, or the system refuses. */
export type Fault = 'death' | 'ENOSPC' | 'EIO'

/** A rename that the disk may not have yet. */
interface Rename {
  from: string
  to: string
  /** What `to` was before; null where it was not there. */
  before: Uint8Array | null
}

const paths = new Map<number, string>()
let unsynced = new Set<string>()
let renames: Rename[] = []
let fault: { at: number; kind: Fault } | null = null
let count = 0
let dead = false

/** A disk that fails when it is told to and, when the power goes, has only what was synced for sure. */
export const disk = {
  /** Before each operation that changes something or reads a file. */
  before: (_operation: string, _path: string): void => {},

  /** The changes that `work` makes, in their order. */
  changesOf(work: () => void): string[] {
    const changes: string[] = []
    const before = disk.before
    disk.before = (operation) => void (operation !== 'read' && changes.push(operation))
    try {
      work()
    } finally {
      disk.before = before
    }
    return changes
  },

  /** Does `work`, whose change `at` fails; returns what it threw, or null. */
  failing(at: number, kind: Fault, work: () => void): unknown {
    fault = { at, kind }
    count = 0
    try {
      work()
      return null
    } catch (error) {
      return error
    } finally {
      fault = null
    }
  },

  /** The machine starts again. What was not synced is half there; renames that were not are there, or are not. */
  powerCut(kept: 'renames kept' | 'renames lost'): void {
    dead = false
    for (const path of unsynced) {
      if (fs.existsSync(path)) fs.truncateSync(path, Math.floor(fs.statSync(path).size / 2))
    }
    if (kept === 'renames lost') {
      for (const { from, to, before } of renames.reverse()) {
        if (fs.existsSync(to)) fs.renameSync(to, from)
        if (before) fs.writeFileSync(to, before)
      }
    }
    disk.forget()
  },

  /** All that was written is on the disk, and nothing fails any more. */
  forget(): void {
    paths.clear()
    unsynced = new Set()
    renames = []
    dead = false
    disk.before = () => {}
  },
}

/** Whoever is dead does nothing any more, not even tidy up. */
function change(operation: string, path: string, half = () => {}): void {
  if (dead) throw new Error('this process is dead')
  disk.before(operation, path)
  if (!fault || count++ !== fault.at) return
  half()
  if (fault.kind === 'death') {
    dead = true
    throw new Error('the machine died')
  }
  throw Object.assign(new Error(`${fault.kind}: ${operation}`), { code: fault.kind })
}

/** `node:fs` on that disk: `vi.mock('node:fs', async () => failingFs())`. */
export function failingFs(): typeof Fs {
  const failing = {
    openSync(path: string, flags: string | number, mode?: number) {
      if (typeof flags === 'number') disk.before('read', path)
      else if (flags !== 'r') change('open', path)
      const file = fs.openSync(path, flags, mode)
      paths.set(file, path)
      return file
    },
    closeSync(file: number) {
      fs.closeSync(file) // a process that dies closes its files, too
      paths.delete(file)
    },
    writeFileSync(file: number | string, content: Uint8Array | string) {
      const path = typeof file === 'string' ? file : (paths.get(file) ?? '')
      const bytes = Buffer.from(content as Uint8Array)
      unsynced.add(path)
      change('write', path, () => fs.writeFileSync(file, bytes.subarray(0, bytes.length / 2)))
      fs.writeFileSync(file, bytes)
    },
    fsyncSync(file: number) {
      const path = paths.get(file) ?? ''
      change('sync', path)
      unsynced.delete(path)
      renames = renames.filter(({ to }) => dirname(to) !== path)
    },
    renameSync(from: string, to: string) {
      change('rename', to)
      const before = fs.existsSync(to) && fs.statSync(to).isFile() ? fs.readFileSync(to) : null
      fs.renameSync(from, to)
      renames.push({ from, to, before })
      if (unsynced.delete(from)) unsynced.add(to)
    },
    rmSync(path: string, options?: Fs.RmOptions) {
      change('remove', path)
      fs.rmSync(path, options)
    },
    readFileSync(...given: Parameters<typeof fs.readFileSync>) {
      if (!dead && typeof given[0] === 'string') disk.before('read', given[0])
      return fs.readFileSync(...given)
    },
  }
  return { ...fs, ...failing, default: { ...fs, ...failing } } as unknown as typeof Fs
}
