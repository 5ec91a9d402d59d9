import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { fileErrorCode, fileErrorReason } from '../workspace/file-error.ts'
import { ensureFolder } from '../workspace/folder.ts'
import { PRIVATE } from '../workspace/private.ts'
import { readRegularFile } from '../workspace/regular-file.ts'

/** Big things, as files named by the SHA-256 of their content. Everything throws MixlabError `store`. */
export interface Objects {
  has(hash: string): boolean
  /** Keeps `bytes` and returns their hash; nothing is written where they are kept already, and whole. */
  write(bytes: Uint8Array): string
  /** The bytes with this hash, checked against it; null where there are none. */
  read(hash: string): Uint8Array | null
  remove(hash: string): void
  /** The hashes of all there are. */
  list(): string[]
}

const isHash = (name: string) => /^[\da-f]{64}$/.test(name)
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The objects in `folder`. */
export function openObjects(folder: string): Objects {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2))
  const has = (hash: string) => isHash(hash) && (statSync(pathOf(hash), { throwIfNoEntry: false })?.isFile() ?? false)
  return {
    has,
    write(bytes) {
      const hash = hashOf(bytes)
      const path = pathOf(hash)
      ensureFolder(dirname(path))
      try {
        if (has(hash) && hashOf(readRegularFile(path)) === hash) return hash
        writeAtomic(path, bytes, PRIVATE)
      } catch (error) {
        throw new MixlabError('store', path, `cannot be written: ${fileErrorReason(error)}`)
      }
      return hash
    },
    read(hash) {
      if (!isHash(hash)) return null
      const path = pathOf(hash)
      let bytes: Buffer<ArrayBuffer>
      try {
        bytes = readRegularFile(path)
      } catch (error) {
        if (fileErrorCode(error) === 'ENOENT') return null
        throw new MixlabError('store', path, `cannot be read: ${fileErrorReason(error)}`)
      }
      if (hashOf(bytes) !== hash) {
        throw new MixlabError('store', path, 'is damaged: its content is not what its name says')
      }
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    remove(hash) {
      rmSync(pathOf(hash), { force: true })
    },
    list() {
      const shelves = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      const names = shelves.flatMap(({ name }) => readdirSync(join(folder, name)).map((rest) => name + rest))
      return names.filter(isHash)
    },
  }
}
