import { MixlabError, suggest } from '../../errors.ts'
import type { FileEntry, FileSource } from '../files.ts'
import { isSystemEntry, type PassedOver } from '../passedOver.ts'
import { join, parent } from '../paths.ts'
import { withoutCutEnd, withoutCutStart } from './utf8.ts'

/** A file of which parts can be read; never empty. */
export interface TextFile {
  path: string
  /** Bytes. */
  size: number
}

/** The file at `path`. Throws MixlabError `data` where there is none and where it is empty. */
export async function findFile(path: string, files: FileSource): Promise<TextFile> {
  const { folder, name } = parent(path)
  const listed = await files.list(folder)
  if (listed.some((other) => other.name === name && other.kind === 'other'))
    throw new MixlabError('data', path, 'is a link to nothing, a pipe or a device, expected a file')
  const entries = listed.filter(({ kind }) => kind === 'file')
  const entry = entries.find((candidate) => candidate.name === name)
  if (!entry) {
    const names = entries.map((candidate) => candidate.name)
    const hint = names.length > 0 && names.length <= 20 ? suggest(name, names) : ''
    throw new MixlabError('data', path, `no such file${hint}`)
  }
  if (entry.size === 0 && (await isBlank(path, files))) throw new MixlabError('data', path, 'empty file')
  return { path, size: entry.size }
}

/**
 * The file at `path`, or the files in that folder and the folders in it whose names end in one of `extensions`, sorted
 * by path; without hidden ones and those of nothing but white space. `passed` counts what is not read. Throws MixlabError `data` where there is no text.
 */
export async function findFiles(
  path: string,
  extensions: readonly string[],
  files: FileSource,
  passed: PassedOver,
): Promise<TextFile[]> {
  const entries = await entriesOf(path, files)
  if (entries === null) {
    const file = await findFile(path, files)
    if (await isBlank(path, files)) throw new MixlabError('data', path, 'nothing but white space')
    return [file]
  }
  const endings = extensions.map((extension) => extension.toLowerCase())
  const found = await filesBelow(path, entries)
  if (found.length === 0) throw new MixlabError('data', path, `no files ending in ${extensions.join(' or ')} with text`)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))

  async function filesBelow(folder: string, entries: FileEntry[]): Promise<TextFile[]> {
    const below: TextFile[] = []
    for (const entry of entries) {
      const place = join(folder, entry.name)
      if (isSystemEntry(entry)) continue
      const isText = endings.some((ending) => entry.name.toLowerCase().endsWith(ending))
      if (entry.kind === 'folder') below.push(...(await filesBelow(place, await files.list(place))))
      else if (entry.kind !== 'file' || !isText) passed.add(entry, place)
      else if (await isBlank(place, files)) passed.add(entry, place, 'file of nothing but white space')
      else below.push({ path: place, size: entry.size })
    }
    return below
  }
}

/** The entries of a folder, or null where `path` is a file, or ought to be one. Throws what listing throws where it is neither. */
export async function entriesOf(path: string, files: FileSource): Promise<FileEntry[] | null> {
  try {
    return await files.list(path)
  } catch (error) {
    if (!(error instanceof MixlabError) || error.code !== 'data') throw error
    const { folder, name } = parent(path)
    const beside = await files.list(folder).catch(() => [])
    if (beside.some((entry) => entry.kind !== 'folder' && entry.name === name)) return null
    throw error
  }
}

/** The bytes `from` to `to` (not included) of a file. Throws MixlabError `data` where the file ends before. */
export async function readPart(path: string, from: number, to: number, files: FileSource): Promise<Uint8Array> {
  const bytes = await files.read(path, from, to)
  if (bytes.length === to - from) return bytes
  const end = from + bytes.length
  const what = `offset ${end}: the file ends here, expected ${to - end} bytes more; it has changed`
  throw new MixlabError('data', path, what)
}

/** Bytes of a file that are looked at together. */
const BLOCK = 64 * 2 ** 10

/** Whether there is nothing but white space in a file. A file that may not be read is listed as empty: reading it says why. */
async function isBlank(path: string, files: FileSource): Promise<boolean> {
  const decoder = new TextDecoder()
  for (let from = 0; ; from += BLOCK) {
    const bytes = await files.read(path, from, from + BLOCK)
    if (decoder.decode(withoutCutEnd(withoutCutStart(bytes))).trim() !== '') return false
    if (bytes.length < BLOCK) return true
  }
}
