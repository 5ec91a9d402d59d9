import { randomUUID } from 'node:crypto'
import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { encode } from '@msgpack/msgpack'
import { MixlabError } from '../../engine/errors.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type Objects, openObjects } from '../store/objects.ts'
import { fileErrorReason } from '../workspace/file-error.ts'
import { ensureFolder } from '../workspace/folder.ts'
import { PRIVATE } from '../workspace/private.ts'
import { type Entry, FORMAT, type Header } from './entry.ts'
import { frameOf } from './frames.ts'

/** The file of a journal; its objects are in a folder beside it. */
export const JOURNAL = 'journal'
export const OBJECTS = 'objects'

/** A journal that this process writes, and nobody else. */
export interface JournalWriter {
  /** 8 hexadecimal digits. */
  id: string
  /** Its file, in a folder of its own. */
  path: string
  objects: Objects
  /**
   * Appends an entry and waits until it is on the disk; without `sync` only a power cut can lose it. Throws MixlabError `store`;
   * the journal is as before then.
   */
  append(entry: Entry, sync?: boolean): void
  close(): void
}

/** Begins a journal in a folder of its own below `folder`, which is made with its first entry or object. */
export function createJournal(folder: string): JournalWriter {
  const id = randomUUID().slice(0, 8)
  const own = join(folder, `${hostname().replace(/[^\w.-]/g, '-')}-${id}`)
  const path = join(own, JOURNAL)
  let file: number | null = null
  let length = 0

  function write(value: Header | Entry, sync: boolean): void {
    const frame = frameOf(encode(value, { ignoreUndefined: true }))
    try {
      file ??= openSync(path, 'wx', PRIVATE)
      for (let done = 0; done < frame.length; ) done += writeSync(file, frame, done)
      if (sync) fdatasyncSync(file)
      length += frame.length
    } catch (error) {
      if (file !== null) ftruncateSync(file, length) // what follows half an entry cannot be read
      throw new MixlabError('store', path, `cannot be written: ${fileErrorReason(error)}`)
    }
  }

  return {
    id,
    path,
    objects: objectsOnDemand(join(own, OBJECTS)),
    append(entry, sync = true) {
      ensureFolder(own)
      if (length === 0)
        write({ type: 'journal', format: FORMAT, id, mixlab: manifest.version, numerics: NUMERICS }, sync)
      write(entry, sync)
    },
    close() {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

/** Objects in a folder that is made with the first. */
function objectsOnDemand(folder: string): Objects {
  const objects = openObjects(folder)
  return {
    ...objects,
    write(bytes) {
      ensureFolder(folder)
      return objects.write(bytes)
    },
  }
}
