import { type StartReader, startReaderOf } from './reader.ts'

/** A thread of Node. */
export const startReader: StartReader = (paths) => startReaderOf(new URL('./thread.ts', import.meta.url), paths)
