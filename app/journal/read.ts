import { lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import { MAX_NAME_LENGTH } from '../../engine/call.ts'
import { MixlabError } from '../../engine/errors.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import { checkValues } from '../bounded.ts'
import { type Objects, openObjects } from '../store/objects.ts'
import { fileErrorCode, fileErrorReason } from '../workspace/file-error.ts'
import { readRegularFile } from '../workspace/regular-file.ts'
import { type Entry, entryFrom, FORMAT, hasLongName, headerFrom } from './entry.ts'
import { framesIn } from './frames.ts'
import { JOURNAL, OBJECTS } from './write.ts'

/** What can be read of a journal. */
export interface Journal {
  path: string
  id: string
  entries: Entry[]
  objects: Objects
  /** What cannot be read of it, in sentences that begin with its path. */
  lost: string[]
}

/**
 * The paths of the journals in a folder: those of workers that trained into it, or its own. Throws MixlabError `store` where
 * it cannot be read.
 */
export function journalsIn(folder: string): string[] {
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const below = folders.map(({ name }) => join(folder, name))
    return [folder, ...below.sort()].map((each) => join(each, JOURNAL)).filter(isThere)
  } catch (error) {
    throw new MixlabError('store', folder, `cannot be read: ${fileErrorReason(error)}`)
  }
}

/** Whether something is at a path that may be a journal: what cannot be read is named when it is. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  } catch {
    return true
  }
}

/** Bytes of a journal; 0 where that cannot be said. */
export function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

/**
 * Reads what is whole of a journal; null where nothing is yet. Throws MixlabError `store` for another file, and for a
 * journal of another version.
 */
export function readJournal(path: string): Journal | null {
  const { contents, lost, damaged } = framesIn(bytesOf(path))
  const [first, ...rest] = contents
  const header = first ? headerFrom(decoded(first)) : null
  if (!header) {
    if (!first && !damaged && lost === 0) return null
    throw new MixlabError('store', path, 'is no journal of runs, or its beginning is damaged')
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
  const values = rest.map(decoded)
  const entries = values.map(entryFrom)
  const known = entries.filter((entry) => entry !== null)
  const long = values.filter((value, i) => entries[i] === null && hasLongName(value)).length
  const unknown = entries.length - known.length - long
  const say = (what: string) => `${path}: ${what}`
  return {
    ...{ path, id, entries: known, objects: openObjects(join(dirname(path), OBJECTS)) },
    lost: [
      ...(lost > 0 ? [say(`damaged entries, left out: ${lost}`)] : []),
      ...(long > 0 ? [say(`entries with a name of over ${MAX_NAME_LENGTH} characters, left out: ${long}`)] : []),
      ...(unknown > 0 ? [say(`unknown entries, written by Mixlab ${mixlab}, left out: ${unknown}`)] : []),
      ...(damaged ? [say(`is damaged; what follows its ${known.length} entries is lost`)] : []),
    ],
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readRegularFile(path)
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return Buffer.alloc(0) // removed meanwhile
    throw new MixlabError('store', path, `cannot be read: ${fileErrorReason(error)}`)
  }
}

function decoded(content: Uint8Array): unknown {
  try {
    checkValues(content)
    return decode(content)
  } catch {
    return null
  }
}
