import { messageOf } from '../../engine/errors.ts'
import { lineOf, locate } from '../../engine/notebook/location.ts'

/** How many are told; a timer may throw for good. */
const MOST = 100

/**
 * Tells what code of cells throws once its cell has ended, in a timer or a promise, and lets training go on. What is
 * thrown elsewhere is a fault of this program, and ends it.
 */
export function tellLate(print: (line: string) => void): void {
  let told = 0
  const tell = (thrown: unknown) => {
    if (thrown instanceof Error && lineOf(thrown) === null) throw thrown
    told++
    if (told <= MOST) print(messageOf(locate(thrown, '')))
    if (told === MOST) print(`what is thrown after these ${MOST} errors is not shown`)
  }
  process.on('uncaughtException', tell)
  process.on('unhandledRejection', tell)
}
