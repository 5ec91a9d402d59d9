import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { connect, Packed } from '../../../engine/channel.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { QuestionName } from './questions.ts'
import { type ReaderCalls, threadChannel } from './reader.ts'

/** Threads that answer questions, as to one store, each one at a time. */
export interface Readers<Name extends string = QuestionName> {
  /** The answer, packed; null where the thread has ended without one. Throws as the question. */
  ask(name: Name, given: unknown[]): Promise<Packed | null>
  /** Ends the threads; questions without an answer are refused. */
  close(): void
}

/** More than one, so that a quick question does not wait for a slow one; one core is left to training. */
const MOST = Math.max(2, Math.min(4, availableParallelism() - 1))

/** The first thread is started at once, the others when all are busy. */
export function openReaders<Name extends string = QuestionName>(start: () => Worker, most = MOST): Readers<Name> {
  const free: Reader<Name>[] = []
  const all = new Set<Reader<Name>>()
  const waiting: ((reader: Reader<Name>) => void)[] = []
  let closed = false

  function add(): Reader<Name> {
    const reader: Reader<Name> = openReader(start(), () => {
      all.delete(reader)
      if (free.includes(reader)) free.splice(free.indexOf(reader), 1)
    })
    all.add(reader)
    return reader
  }

  function checkOpen(): void {
    if (closed) throw new MixlabError('store', '', 'is closed')
  }

  async function take(): Promise<Reader<Name>> {
    checkOpen()
    return free.pop() ?? (all.size < most ? add() : new Promise((got) => waiting.push(got)))
  }

  function giveBack(reader: Reader<Name>): void {
    const next = waiting.shift()
    if (next) next(closed || all.has(reader) ? reader : add())
    else if (all.has(reader)) free.push(reader)
  }

  free.push(add())
  return {
    async ask(name, given) {
      const reader = await take()
      try {
        checkOpen()
        return new Packed(await reader.answer(name, ...given))
      } catch (error) {
        if (closed || all.has(reader)) throw error
        return null
      } finally {
        giveBack(reader)
      }
    },
    close() {
      closed = true
      for (const reader of all) reader.end()
    },
  }
}

interface Reader<Name extends string> {
  answer(...asked: Parameters<ReaderCalls<Name>['answer']>): Promise<Uint8Array>
  end(): void
}

/** A thread that keeps the process alive only while it is asked something. `ended` is called once. */
function openReader<Name extends string>(thread: Worker, ended: () => void): Reader<Name> {
  const { remote, close } = connect<ReaderCalls<Name>>({}, threadChannel(thread))
  thread.on('error', () => {}) // its end follows
  thread.once('exit', () => {
    ended()
    close('the thread that reads the store has ended')
  })
  thread.unref()
  return {
    async answer(...asked) {
      thread.ref()
      try {
        return await remote.answer(...asked)
      } finally {
        thread.unref()
      }
    },
    end: () => void thread.terminate(),
  }
}
