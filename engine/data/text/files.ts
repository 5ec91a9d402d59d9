import { MixlabError, suggest } from '../../errors.ts'
import type { FileEntry, FileSource } from '../files.ts'
import { join, parent } from '../paths.ts'

/** A file of which parts can be read; never empty. */
export interface TextFile {
  path: string
  /** Bytes. */
  size: number
}

/** The file at `path`. Throws MixlabError `data` where there is none and where it is empty. */
export async function findFile(path: string, files: FileSource): Promise<TextFile> {
  const { folder, name } = parent(path)
  const entries = (await files.list(folder)).filter(({ kind }) => kind === 'file')
  const entry = entries.find((candidate) => candidate.name === name)
  if (!entry) {
    const names = entries.map((candidate) => candidate.name)
    const hint = names.length > 0 && names.length <= 20 ? suggest(name, names) : ''
    throw new MixlabError('data', path, `no such file${hint}`)
  }
  if (await isEmpty(path, entry, files)) throw new MixlabError('data', path, 'empty file')
  return { path, size: entry.size }
}

/**
 * The file at `path`, or the files in that folder and the folders in it whose names end in one of `extensions`, sorted
 * by path; without hidden and empty ones. Throws MixlabError `data` where there is no text.
 */
export async function findFiles(path: string, extensions: readonly string[], files: FileSource): Promise<TextFile[]> {
  const entries = await entriesOf(path, files)
  if (entries === null) return [await findFile(path, files)]
  const endings = extensions.map((extension) => extension.toLowerCase())
  const found = await filesBelow(path, entries)
  if (found.length === 0) throw new MixlabError('data', path, `no files ending in ${extensions.join(' or ')} with text`)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))

  async function filesBelow(folder: string, entries: FileEntry[]): Promise<TextFile[]> {
    const below: TextFile[] = []
    for (const entry of entries) {
      const place = join(folder, entry.name)
      if (entry.name.startsWith('.')) continue
      if (entry.kind === 'folder') below.push(...(await filesBelow(place, await files.list(place))))
      else if (!endings.some((ending) => entry.name.toLowerCase().endsWith(ending))) continue
      else if (!(await isEmpty(place, entry, files))) below.push({ path: place, size: entry.size })
    }
    return below
  }
}

/** The entries of a folder, or null where `path` is a file. Throws what listing throws where it is neither. */
export async function entriesOf(path: string, files: FileSource): Promise<FileEntry[] | null> {
  try {
    return await files.list(path)
  } catch (error) {
    if (!(error instanceof MixlabError) || error.code !== 'data') throw error
    const { folder, name } = parent(path)
    const beside = await files.list(folder).catch(() => [])
    if (beside.some((entry) => entry.kind === 'file' && entry.name === name)) return null
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

/** Whether there is nothing in a file. A file that may not be read is listed as empty: reading it says why. */
async function isEmpty(path: string, { size }: FileEntry, files: FileSource): Promise<boolean> {
  return size === 0 && (await files.read(path, 0, 1)).length === 0
}
