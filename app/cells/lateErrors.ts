import { createLateErrors, lineOf } from '../../engine/notebook/location.ts'

/**
 * Reports errors that code of cells throws after its cell has ended, in a timer or a promise; training continues. What is
 * thrown elsewhere is a fault of this program, and ends it.
 */
export function reportLateErrors(print: (line: string) => void): void {
  const late = createLateErrors()
  const tell = (thrown: unknown) => {
    if (thrown instanceof Error && lineOf(thrown) === null) throw thrown
    late.tell(thrown, '', print)
  }
  process.on('uncaughtException', tell)
  // a loop may reject millions of promises
  process.on('unhandledRejection', (thrown) => !late.areMany() && tell(thrown))
}
