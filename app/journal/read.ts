import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import { MixlabError } from '../../engine/errors.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import { type Objects, openObjects } from '../store/objects.ts'
import { fileErrorCode, fileErrorReason } from '../workspace/file-error.ts'
import { type Entry, entryFrom, FORMAT, headerFrom } from './entry.ts'
import { framesIn } from './frames.ts'
import { JOURNAL, OBJECTS } from './write.ts'

/** A journal as far as it is whole. */
export interface Journal {
  path: string
  id: string
  entries: Entry[]
  objects: Objects
  /** Whether something in it is damaged, and what follows that is lost. */
  damaged: boolean
}

/**
 * The paths of the journals in a folder: those of workers that trained into it, or its own. Throws MixlabError `store` where
 * it cannot be read.
 */
export function journalsIn(folder: string): string[] {
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const below = folders.map(({ name }) => join(folder, name))
    const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
    return [folder, ...below.sort()].map((each) => join(each, JOURNAL)).filter(isFile)
  } catch (error) {
    throw new MixlabError('store', folder, `cannot be read: ${fileErrorReason(error)}`)
  }
}

/**
 * Reads a journal up to its last whole entry; null where it has none yet. Throws MixlabError `store` for what is none, and
 * for one of another version.
 */
export function readJournal(path: string): Journal | null {
  const { contents, cut, damaged } = framesIn(bytesOf(path))
  const [first, ...rest] = contents
  const header = first ? headerFrom(decoded(first)) : null
  if (!header) {
    if (!first && !damaged) return null
    throw new MixlabError('store', path, 'is no journal of runs')
  }
  const { id, format, mixlab, numerics } = header
  if (format !== FORMAT) {
    const what = `is a journal of format ${format}, written by Mixlab ${mixlab}; this one reads format ${FORMAT}`
    throw new MixlabError('store', path, what)
  }
  if (numerics !== NUMERICS) {
    const what = `was written by Mixlab ${mixlab} with numerics ${numerics}, and here they are ${NUMERICS}: its runs would be other ones`
    throw new MixlabError('store', path, what)
  }
  const entries = rest.map((content) => {
    const entry = entryFrom(decoded(content))
    if (entry) return entry
    throw new MixlabError('store', path, `has an unknown entry, written by Mixlab ${mixlab}`)
  })
  return { path, id, entries, objects: openObjects(join(dirname(path), OBJECTS)), damaged: damaged && cut > 0 }
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return Buffer.alloc(0) // removed meanwhile
    throw new MixlabError('store', path, `cannot be read: ${fileErrorReason(error)}`)
  }
}

function decoded(content: Uint8Array): unknown {
  try {
    return decode(content)
  } catch {
    return null
  }
}
