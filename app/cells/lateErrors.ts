import { messageOf } from '../../engine/errors.ts'
import { lineOf, locate } from '../../engine/notebook/location.ts'

/** How many errors are reported; a timer may throw again and again. */
const MAX_LATE_ERRORS = 100

/**
 * Reports errors that code of cells throws after its cell has ended, in a timer or a promise; training continues. What is
 * thrown elsewhere is a fault of this program, and ends it.
 */
export function reportLateErrors(print: (line: string) => void): void {
  let told = 0
  const tell = (thrown: unknown) => {
    if (thrown instanceof Error && lineOf(thrown) === null) throw thrown
    told++
    if (told <= MAX_LATE_ERRORS) print(messageOf(locate(thrown, '')))
    if (told === MAX_LATE_ERRORS) print(`what is thrown after these ${MAX_LATE_ERRORS} errors is not shown`)
  }
  process.on('uncaughtException', tell)
  process.on('unhandledRejection', tell)
}
