import { type MessagePort, Worker } from 'node:worker_threads'
import type { Channel } from '../../../engine/channel.ts'
import type { QuestionName } from './questions.ts'

/** What a thread that reads offers. */
export interface ReaderCalls<Name extends string = QuestionName> {
  /** The answer to a question as the bytes of a packed value (engine/channel.ts). Throws as the question. */
  answer(name: Name, ...given: unknown[]): Uint8Array | Promise<Uint8Array>
}

/** The database file and the folder of objects of a store. */
export interface ReaderPaths {
  database: string
  objects: string
}

/** Starts a thread that answers questions to a store. */
export type StartReader = (paths: ReaderPaths) => Worker

/** A thread that runs a script, thread.ts or what was built of it. */
export function startReaderOf(script: string | URL, { database, objects }: ReaderPaths): Worker {
  return new Worker(script, { workerData: { database, objects }, execArgv: [] })
}

/** Whole messages to and from another thread, which are moved to it. */
export function threadChannel(thread: Worker | MessagePort): Channel {
  return {
    post: (message) => thread.postMessage(message, [message.buffer as ArrayBuffer]),
    listen: (receive) => void thread.on('message', receive),
  }
}
