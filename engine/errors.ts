/** Where an error belongs; the command line turns it into an exit code, the page into an icon. */
export type ErrorCode =
  | 'option' // a value the user wrote is not allowed
  | 'notebook' // the notebook cannot be read or evaluated
  | 'data' // a data set or file cannot be read
  | 'numerics' // training left the finite numbers
  | 'weights' // a weights file does not fit
  | 'backend' // a device is missing or was lost
  | 'store' // the workspace or its database cannot be used
  | 'owner' // another process trains the run now
  | 'permission' // a path the user has not allowed

/** The one error class for everything a user can cause. `path` names the bad value, e.g. `train.batch` or `notes.ts:14`. */
export class MixlabError extends Error {
  readonly code: ErrorCode
  readonly path: string
  constructor(code: ErrorCode, path: string, message: string) {
    super(path ? `${clipped(path)}: ${clipped(message)}` : clipped(message))
    this.name = 'MixlabError'
    this.code = code
    this.path = clipped(path)
  }
}

/** Makes an error about one thing of what is wrong with it. */
export type Fail = (what: string) => MixlabError

/** The graphics device is gone; nothing that it computed since can be trusted, and it will not come back. */
export class LostDevice extends MixlabError {
  constructor(why: string) {
    super('backend', '', `the graphics card was lost: ${why}`)
  }
}

/** A name out of a file, for an error: on one line, cut where it is long. */
export function shortened(name: string): string {
  const line = name.replace(/[\p{C}\s]+/gu, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}...` : line
}

/** The same in quotes. */
export const quoted = (name: string) => `'${shortened(name)}'`

/** About how long the text of an error, or of a value in words, may be; what was cut once is not cut again. */
const MAX_TEXT_LENGTH = 20_000 // characters
const LITTLE = 5_000

/** A text, cut where it is too long to be read. */
export function clipped(text: string): string {
  const more = text.length - MAX_TEXT_LENGTH
  return more <= LITTLE ? text : `${text.slice(0, MAX_TEXT_LENGTH)}... ${more} characters more`
}

/** The text of anything thrown, of a bounded length. Never throws, whatever getters it has. */
export function messageOf(error: unknown): string {
  try {
    return clipped(String(error instanceof Error ? error.message : error))
  } catch {
    return 'an error that cannot be shown'
  }
}

/** Ends an error about an unknown name: ` (did you mean 'gmlp'?)` where one is close, else ` (known: a, b)`. */
export function suggest(name: string, known: readonly string[]): string {
  const close = closest(name, known)
  return close === null ? ` (known: ${known.join(', ')})` : ` (did you mean '${close}'?)`
}

/** The known name that was probably meant by an unknown one; null where none is close. */
export function closest(name: string, known: readonly string[]): string | null {
  const most = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3))
  const close = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= most(candidate)) // a name may be a whole file
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= most(candidate))
    .sort((a, b) => a.distance - b.distance)[0]
  return close?.candidate ?? null
}

/** Levenshtein distance with adjacent transpositions counted as one edit. */
function editDistance(a: string, b: string): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (older[j - 2] ?? 0) + 1)
      row.push(best)
    }
    older = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

/** The place that trained a run has broken down; the run can go on from its last checkpoint in another one. The message says why. */
export class LostPlace extends Error {
  override name = 'LostPlace'
}
