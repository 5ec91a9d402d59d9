import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Rates } from '../../engine/bench/peak.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { PeerModel } from './description.ts'

/** What a peer can be asked, and its answers: one line of JSON each, `{ do: 'train' }` and `{ "ms": 12.5 }`. */
export interface PeerAnswers {
  /** Builds model and batch of a `Description`. */
  prepare: { parameters: number }
  /** Milliseconds of one training step. */
  train: { ms: number }
  /** Milliseconds of one forward pass. */
  forward: { ms: number }
  /** The most bytes resident in the process so far. */
  memory: { bytes: number }
  /** Rates of the machine, of `simd` alone. */
  rates: Rates
}

/** Milliseconds that a process has to end by itself. */
const EXIT_TIMEOUT_MS = 2000

/** How a peer is started. */
export interface Start {
  command: string
  words: string[]
  environment?: Record<string, string>
}

/** A peer at work: a process that waits, without using the processor, until it is asked. */
export interface PeerProcess {
  /** Rejects with MixlabError `backend` if the peer says that it cannot, or has ended. */
  ask<Do extends keyof PeerAnswers>(what: Do, more?: PeerModel): Promise<PeerAnswers[Do]>
  end(): Promise<void>
}

/** Starts the process of a peer, which `name` names in errors. */
export function startPeer(name: string, { command, words, environment }: Start): PeerProcess {
  const child = spawn(command, words, { env: { ...process.env, ...environment }, stdio: 'pipe' })
  const closed = once(child, 'close').then(
    ([code, signal]) => `code ${signal ?? code}`,
    ({ message }: Error) => message,
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let errors = ''
  child.stderr.on('data', (data) => {
    errors = `${errors}${data}`.slice(-2000)
  })
  child.stdin.on('error', () => {}) // the process has ended; `ask` says so

  return {
    ask: async (what, more) => {
      child.stdin.write(`${JSON.stringify({ ...more, do: what })}\n`)
      const { value, done } = await lines.next()
      if (done) {
        const reason = await closed
        throw new MixlabError('backend', name, `ended: ${lastError(errors) || reason}`)
      }
      const answer = JSON.parse(value)
      if (answer.error) throw new MixlabError('backend', name, answer.error)
      return answer
    },
    end: async () => {
      child.stdin.end() // the process ends by itself, and Node keeps what it has compiled
      await Promise.race([closed, pause(EXIT_TIMEOUT_MS, undefined, { ref: false })])
      child.kill()
      await closed
    },
  }
}

/** The most informative line: the last that names an error, or the last. */
function lastError(text: string): string | undefined {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1)
}
