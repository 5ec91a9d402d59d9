import { closeSync, existsSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { FileEntry, FileSource } from '../../engine/data/files.ts'
import { bytesText, MAX_FILE_MEMORY } from '../../engine/data/inflate.ts'
import { closest, MixlabError } from '../../engine/errors.ts'
import { pointerText } from '../../engine/weights/files/kind.ts'
import { fileErrorCode, fileErrorReason } from './file-error.ts'
import { isInside, realPath } from './inside.ts'
import { WITHOUT_WAITING } from './regular-file.ts'
import type { Workspace } from './workspace.ts'

export interface DataFilesOptions {
  workspace: Workspace
  /** Real paths outside the workspace that may be read; asked anew for every call. */
  allowed: () => string[]
  /** The user's own notebook on the user's own command line: every path may be read. */
  unrestricted: boolean
}

/** The user's data files, within what the user has allowed. `locate` gives the real path of one. Throws MixlabError `permission`. */
export function openDataFiles({
  workspace,
  allowed,
  unrestricted,
}: DataFilesOptions): FileSource & { locate(path: string): string } {
  function mayRead(real: string): boolean {
    if (unrestricted) return true
    if (isInside(workspace.inner, real)) return false
    if (isInside(workspace.root, real) && isPrivate(real)) return allowed().includes(real)
    return [workspace.root, ...allowed()].some((folder) => isInside(folder, real))
  }

  /** Notebooks, which may be another user's, and hidden files are no data. */
  function isPrivate(real: string): boolean {
    const parts = relative(workspace.root, real).split(sep)
    return /\.ts$/i.test(real) || parts.some((part) => part.startsWith('.'))
  }

  // Permission comes before existence: a notebook must not learn which files there are elsewhere.
  function locate(path: string): string {
    const real = resolveData(workspace, path)
    if (mayRead(real)) return real
    const reason = isInside(workspace.inner, real)
      ? "belongs to the workspace's own store and cannot be read as data"
      : isInside(workspace.root, real)
        ? 'is a notebook or a hidden file, and cannot be read as data; copy it to another name, or allow it with --data'
        : 'lies outside the workspace; allow its folder with --data DIR, or with the Allow button of the page'
    throw new MixlabError('permission', path, reason)
  }

  /** What is known of a path that has nothing: the first folder on it that lacks the next, and what is written like that. */
  async function missing(real: string, path: string): Promise<never> {
    let [folder, name] = [dirname(real), basename(real)]
    while (!existsSync(folder)) [folder, name] = [dirname(folder), basename(folder)]
    const names = mayRead(folder) ? await readdir(folder).catch(() => []) : []
    const entries = await Promise.all(names.map((each) => entry(folder, each)))
    const known = entries.flatMap((found) => (found && found.kind !== 'other' ? [found.name] : []))
    const near = closest(name, known)
    const where = mayRead(folder)
      ? `: ${folder} has no '${name}'${near === null ? '' : ` (did you mean '${near}'?)`}`
      : ''
    throw new MixlabError('data', path, `does not exist${where}`)
  }

  /** An entry of the real folder `folder`, which the user may have written as `written`, with links on the way; it may be a link, too. */
  async function entry(folder: string, name: string, written = folder, isLink = true): Promise<FileEntry | null> {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    const other = { name, kind: 'other', size: 0 } as const
    const isHidden = !unrestricted && isInside(workspace.root, folder) && isPrivate(path)
    if (!found) return isHidden ? null : other
    const real = isLink ? realPath(path) : path
    if (isHidden && !mayRead(real)) return null
    if (found.isDirectory()) {
      if (isInside(workspace.inner, real)) return null
      return real !== path && leadsBack(real, written) ? other : { name, kind: 'folder', size: 0 }
    }
    // A link to a file out of bounds is named, so that reading it says why, but tells nothing of its target.
    return found.isFile() ? { name, kind: 'file', size: mayRead(real) ? found.size : 0 } : other
  }

  /** Whether the target of a link is a folder on the way to it, so that following it would go round for ever. */
  function leadsBack(target: string, written: string): boolean {
    for (let at = resolve(workspace.root, written); ; at = dirname(at)) {
      if (isInside(target, realPath(at))) return true
      if (at === dirname(at)) return false
    }
  }

  return {
    locate,
    async list(path) {
      const folder = locate(path)
      const stats = await stat(folder).catch((error) => (isMissing(error) ? missing(folder, path) : fail(path, error)))
      if (!stats.isDirectory()) throw new MixlabError('data', path, 'is not a folder')
      const found = await readdir(folder, { withFileTypes: true }).catch((error) => fail(path, error))
      const sorted = found.sort((a, b) => (a.name < b.name ? -1 : 1))
      const entries = await Promise.all(sorted.map((each) => entry(folder, each.name, path, each.isSymbolicLink())))
      return entries.filter((found) => found !== null)
    },
    async read(path, from, to) {
      const file = locate(path)
      // Reading a pipe or a device may never end.
      const stats = await stat(file).catch((error) => (isMissing(error) ? missing(file, path) : fail(path, error)))
      if (!stats.isFile()) throw new MixlabError('data', path, 'is not a file')
      checkSize(Math.min(to ?? stats.size, stats.size) - (from ?? 0), path)
      const bytes = await readBytes(file, from, to).catch((error) => fail(path, error))
      checkContent(bytes, path)
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
  }
}

/** The same of a located file, for a thread that does nothing else; `path` is what the user wrote. Throws as `read`. */
export function readDataNow(real: string, path: string, from = 0, to = Number.POSITIVE_INFINITY): Uint8Array {
  try {
    const file = openSync(real, WITHOUT_WAITING)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile()) throw new MixlabError('data', path, 'is not a file')
      const size = Math.max(0, Math.min(to, stats.size) - from)
      checkSize(size, path)
      const bytes = Buffer.allocUnsafeSlow(size)
      const content = bytes.subarray(0, size > 0 ? readSync(file, bytes, 0, size, from) : 0)
      checkContent(content, path)
      return new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof MixlabError) throw error
    return fail(path, error)
  }
}

function checkSize(size: number, path: string): void {
  if (size <= MAX_FILE_MEMORY) return
  const most = bytesText(MAX_FILE_MEMORY)
  throw new MixlabError('data', path, `${bytesText(size)} at once, expected at most ${most}`)
}

function checkContent(bytes: Buffer, path: string): void {
  const pointer = pointerText(bytes)
  if (pointer) throw new MixlabError('data', path, pointer)
}

async function readBytes(file: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const handle = await open(file, WITHOUT_WAITING)
  try {
    if (from === 0 && to === Number.POSITIVE_INFINITY) return await handle.readFile()
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.max(0, Math.min(to, size) - from))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The real, absolute path of a data path that is relative to the workspace, or absolute. Throws MixlabError `data`. */
export function resolveData(workspace: Workspace, path: string): string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new MixlabError('data', String(path), 'not a path; allowed is one relative to the workspace, or absolute')
  }
  try {
    return realPath(resolve(workspace.root, path))
  } catch (error) {
    return fail(path, error)
  }
}

/** Throws MixlabError `data` where nothing is at `real`; `path` is what the user wrote. */
export async function statData(real: string, path: string): Promise<Stats> {
  return stat(real).catch((error) => fail(path, error))
}

const isMissing = (error: unknown) => fileErrorCode(error) === 'ENOENT'

function fail(path: string, error: unknown): never {
  const denied = ['EACCES', 'EPERM'].includes(fileErrorCode(error))
  throw new MixlabError(denied ? 'permission' : 'data', path, fileErrorReason(error))
}
