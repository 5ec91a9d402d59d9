import type { FileEntry } from './files.ts'
import { join } from './paths.ts'

/** What operating systems and archives leave in folders: nobody takes it for data. */
const SYSTEM = /^(\..*|__MACOSX|@eaDir|\$RECYCLE\.BIN|thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i
/** Texts about the data that stand beside it. */
const ABOUT = /^(readme|licen[cs]e|copying|notice|citation|changelog)\b/i

/** Whether an entry of a folder is no data, and nobody would miss it. */
export const isSystemEntry = ({ name }: Pick<FileEntry, 'name'>) => SYSTEM.test(name)

/** Names that are listed as examples; the others are counted. */
const NAMED = 3

/** Counts what a loader does not read. */
export interface PassedOver {
  /** An entry at `place`, a path that may begin with that of the data set; `why` in place of its ending. Nothing for what nobody would miss. */
  add(entry: FileEntry, place: string, why?: string): void
  /** All of it in one sentence; none where nothing was passed over. */
  notices(): string[]
}

/** A counter for what is passed over below `path`. */
export function passedOver(path: string): PassedOver {
  const prefix = join(path, '')
  const found = new Map<string, Set<string>>()
  return {
    add(entry, place, why) {
      if (isSystemEntry(entry) || (entry.kind === 'file' && ABOUT.test(entry.name))) return
      const what = why ?? sortOf(entry)
      const own = found.get(what) ?? new Set()
      found.set(what, own.add(place.startsWith(prefix) ? place.slice(prefix.length) : place))
    },
    notices() {
      if (found.size === 0) return []
      const parts = [...found].map(([what, all]) => {
        const places = [...all]
        const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : ''
        const [noun = '', ...rest] = what.split(' ')
        const counted = [`${places.length} ${noun}${places.length === 1 ? '' : 's'}`, ...rest].join(' ')
        return `${counted} (${places.slice(0, NAMED).join(', ')}${more})`
      })
      return [`${path}: passed over ${parts.join('; ')}`]
    },
  }
}

/** What an entry is, the noun first. */
function sortOf({ name, kind }: FileEntry): string {
  if (kind === 'folder') return 'folder'
  if (kind === 'other') return 'path behind which there is no file'
  const at = name.lastIndexOf('.')
  return at <= 0 || at === name.length - 1 ? 'file without an ending' : `file ending in ${name.slice(at).toLowerCase()}`
}
