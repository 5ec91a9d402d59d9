import { MixlabError, messageOf } from '../errors.ts'
import { shapesIn } from '../nn/checked.ts'
import { importHint } from './closures/known.ts'

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
  const error = new MixlabError(thrown instanceof MixlabError ? thrown.code : 'notebook', path, sentenceOf(thrown))
  error.cause = thrown
  return error
}

/** So many errors are shown that code throws after its cell has ended: a timer may throw again and again. */
const MAX_LATE_ERRORS = 100

/** Tells what code throws after its cell has ended, up to a number of errors. */
export function createLateErrors() {
  let told = 0
  return {
    areMany: () => told >= MAX_LATE_ERRORS,
    tell(thrown: unknown, cell: string, print: (line: string) => void): void {
      told++
      if (told <= MAX_LATE_ERRORS) print(messageOf(locate(thrown, cell)))
      if (told === MAX_LATE_ERRORS) print(`what is thrown after these ${MAX_LATE_ERRORS} errors is not shown`)
    },
  }
}

/** What was thrown, at the innermost line that is in a cell, where its stack has one. */
export function locatedIfInCell(thrown: unknown): unknown {
  const line = lineOf(thrown)
  return line === null ? thrown : locate(thrown, line)
}

/** The innermost line that is in a cell, as `<cell>:<line>`, or null where the stack of what was thrown has none. */
export function lineOf(thrown: unknown): string | null {
  return placeOf(thrown)?.line ?? null
}

/** Where code of a cell is: its line as `lineOf` has it, and its column from 1; null where a stack has none. */
export function placeOf(thrown: unknown): { line: string; column: number } | null {
  try {
    const [, url, line, column] = /mixlab:cell\/(\S+?):(\d+):(\d+)/.exec(stackOf(thrown)) ?? []
    return url && line
      ? { line: `${decodeURIComponent(url)}:${Number(line) - LINES_ABOVE}`, column: Number(column) }
      : null
  } catch {
    return null // the name of a cell that is none
  }
}

/** The function that code of a cell called, by a stack: the outermost below the code; '' where the stack does not tell. */
export function calledBy(thrown: unknown): string {
  const [within = ''] = stackOf(thrown).split('mixlab:cell/')
  const frame = within.split('\n').at(-2) ?? ''
  const [, name = ''] = /^\s*at (?:\w+\.)*([\w$]+) /.exec(frame) ?? []
  return name.replace(/__op$/, '')
}

/**
 * The stack of what a cell threw; '' where it has none. A cell can throw anything, even a value that throws when it is
 * read.
 */
function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack) : ''
  } catch {
    return ''
  }
}

/**
 * What was thrown, in words: which operation of tfjs, where its shapes do not fit or have too many axes, and what to do about
 * an unknown name.
 */
export function sentenceOf(thrown: unknown): string {
  const message = messageOf(thrown)
  if (thrown instanceof MixlabError) return message
  const [, unknown] = /^([\w$]+) is not defined$/.exec(message) ?? []
  if (unknown) return `${message}${importHint(unknown)}`
  if (FROZEN.test(message)) return 'cannot change a shape or an option in place; change a copy, such as [...x.shape]'
  const shapes = shapesIn(message)
  const operation = shapes === message ? undefined : operationOf(thrown)
  return operation ? `${operation}: ${shapes}` : shapes
}

/** What engines of JavaScript say of frozen lists and objects. */
const FROZEN = /^Cannot (assign to read only property|add property .* object is not extensible|delete property)/

/** The operation of tfjs that code of a cell called, by a stack: the outermost below the code; tfjs calls them `add__op`. */
export function operationOf(thrown: unknown): string | undefined {
  const [within = ''] = stackOf(thrown).split('mixlab:cell/')
  return [...within.matchAll(/\b([A-Za-z]\w*?)__op\b/g)].at(-1)?.[1]
}
