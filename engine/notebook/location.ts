import { MixlabError, messageOf } from '../errors.ts'

/** The name under which a cell appears in stack traces and debuggers. */
export function urlOf(cell: string): string {
  // A quote would end the comment that carries the name.
  return `mixlab:cell/${encodeURIComponent(cell).replaceAll("'", '%27')}`
}

/** `async function anonymous(__cell` and `) {` stand above the body that the function constructor gets. */
const LINES_ABOVE = 2

/**
 * What code of a cell threw, as a MixlabError at the innermost line that is in a cell: `<cell>:<line>`, or `cell` where
 * the stack does not tell. A MixlabError keeps its code, anything else becomes `notebook`; `cause` is the original.
 */
export function locate(thrown: unknown, cell: string): MixlabError {
  const path = lineOf(thrown) ?? cell
  const error = new MixlabError(thrown instanceof MixlabError ? thrown.code : 'notebook', path, messageOf(thrown))
  error.cause = thrown
  return error
}

/** The innermost line that is in a cell, as `<cell>:<line>`, or null where the stack of what was thrown has none. */
export function lineOf(thrown: unknown): string | null {
  try {
    const stack = thrown instanceof Error ? String(thrown.stack) : ''
    const [, url, line] = /mixlab:cell\/(\S+?):(\d+):\d+/.exec(stack) ?? []
    return url && line ? `${decodeURIComponent(url)}:${Number(line) - LINES_ABOVE}` : null
  } catch {
    return null // a cell can throw anything, also what throws when it is read
  }
}
