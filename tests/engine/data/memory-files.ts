import type { FileEntry, FileSource } from '../../../engine/data/files.ts'
import { MixlabError } from '../../../engine/errors.ts'

const none = () => Promise.reject(new Error('none'))
/** Where nothing can be read. */
export const noFiles: FileSource = { list: none, read: none }

/** A file source over `path -> bytes`; folders are what the paths say. Counts the reads. */
export function memoryFiles(files: Record<string, Uint8Array | string>): FileSource & { reads: string[] } {
  const reads: string[] = []
  const bytesOf = (content: Uint8Array | string) =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    reads,
    async list(path) {
      const prefix = `${path.replace(/\/+$/, '')}/`
      const entries = new Map<string, FileEntry>()
      for (const [name, content] of Object.entries(files)) {
        if (!name.startsWith(prefix)) continue
        const [first = '', ...rest] = name.slice(prefix.length).split('/')
        const isFolder = rest.length > 0
        if (first) {
          const size = isFolder ? 0 : bytesOf(content).length
          entries.set(first, { name: first, kind: isFolder ? 'folder' : 'file', size })
        }
      }
      if (entries.size === 0) throw new MixlabError('data', path, 'no such folder')
      return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    async read(path, from, to) {
      reads.push(path)
      const content = files[path]
      if (content === undefined) throw new MixlabError('data', path, 'no such file')
      return bytesOf(content).slice(from, to)
    },
  }
}
