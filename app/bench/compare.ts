import { setTimeout as pause } from 'node:timers/promises'
import { medianAndLeast, type Times } from '../../engine/bench/times.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import type { PeerModel } from './description.ts'
import { type PeerAnswers, type PeerProcess, startPeer } from './peerProcess.ts'
import type { Peer } from './peers.ts'

/** What one peer took. */
export interface PeerRow extends Pick<Peer, 'peer' | 'threads' | 'blasThreads'> {
  train: Times | null
  forward: Times | null
  /** The most bytes resident in its process, after the training steps. */
  peakBytes: number | null
  /** Median training step as a multiple of that of `simd` with all threads. */
  ratio: number | null
  /** Why there are no figures. */
  note?: string
}

export interface CompareOptions {
  /** Timed calls of each, but for slow peers. */
  rounds: number
  signal: AbortSignal
  /** Called before each turn with whose it is. */
  onTurn?: (name: string) => void
}

interface Entrant {
  row: PeerRow
  process: PeerProcess
  warmUp: number
  rounds: number
}

/** Calls that are not timed. */
const WARM_UP = 3
/** Milliseconds before each turn: the threads of BLAS look for more work so long before they sleep. */
const PAUSE = 100

/**
 * Times training steps, then forward passes, of all peers in turns, so that whatever else the machine does hits all
 * alike. Each peer is a process of its own. One that fails gets a note. Once `signal` is aborted the rows are not whole.
 * Throws MixlabError `backend` if a twin has not as many parameters as our model.
 */
export async function comparePeers(
  description: PeerModel,
  peers: readonly Peer[],
  options: CompareOptions,
): Promise<PeerRow[]> {
  const rows: PeerRow[] = []
  const entrants: Entrant[] = []
  try {
    for (const { start, only, turns, ...peer } of peers) {
      const row: PeerRow = { ...peer, train: null, forward: null, peakBytes: null, ratio: null }
      rows.push(row)
      if (typeof start === 'string') row.note = start
      else if (only && !only.names.includes(description.name)) row.note = only.note
      else
        entrants.push({
          row,
          process: startPeer(peerName(row), start),
          warmUp: WARM_UP,
          rounds: options.rounds,
          ...turns,
        })
    }
    for (const entrant of entrants) checkTwin(description, entrant.row, await ask(entrant, 'prepare', description))
    await takeTurns(entrants, 'train', options)
    for (const entrant of entrants) entrant.row.peakBytes = (await ask(entrant, 'memory'))?.bytes ?? null
    await takeTurns(entrants, 'forward', options)
  } finally {
    await Promise.all(entrants.map(({ process }) => process.end()))
  }
  const ours = rows.findLast(({ peer }) => peer === 'simd')?.train?.[0]
  for (const row of rows) if (ours && row.train) row.ratio = row.train[0] / ours
  return rows
}

/** The row of PyTorch, its models as timm writes them or tuned, with the least median training step. */
export function bestTorch(rows: readonly PeerRow[], style: 'torch' | 'torch, tuned' = 'torch'): PeerRow | null {
  const timed = rows.filter(({ peer, train }) => peer === style && train)
  return timed.sort((a, b) => (a.train?.[0] ?? 0) - (b.train?.[0] ?? 0))[0] ?? null
}

/** A peer with its threads, e.g. `torch, BLAS 2`. */
export function peerName({ peer, blasThreads }: Pick<PeerRow, 'peer' | 'blasThreads'>): string {
  return blasThreads === undefined ? peer : `${peer}, BLAS ${blasThreads}`
}

async function takeTurns(entrants: Entrant[], what: 'train' | 'forward', options: CompareOptions): Promise<void> {
  const { signal, onTurn } = options
  const durations = new Map(entrants.map(({ row }) => [row, [] as number[]]))
  const most = Math.max(0, ...entrants.map(({ warmUp, rounds }) => warmUp + rounds))
  for (let turn = 0; turn < most; turn++) {
    for (const entrant of entrants.filter(({ warmUp, rounds }) => turn < warmUp + rounds)) {
      if (signal.aborted) return
      await pause(PAUSE)
      onTurn?.(`${what} ${turn + 1} of ${most}, ${peerName(entrant.row)}`)
      const answer = await ask(entrant, what)
      if (answer && turn >= entrant.warmUp) durations.get(entrant.row)?.push(answer.ms)
    }
  }
  for (const [row, times] of durations) if (times.length > 0) row[what] = medianAndLeast(times)
}

/** Null once the peer has failed; its row then says why. */
async function ask<Do extends keyof PeerAnswers>(
  { row, process }: Entrant,
  what: Do,
  more?: PeerModel,
): Promise<PeerAnswers[Do] | null> {
  if (row.note) return null
  try {
    return await process.ask(what, more)
  } catch (error) {
    row.note = messageOf(error)
    return null
  }
}

function checkTwin({ name, parameters }: PeerModel, row: PeerRow, answer: PeerAnswers['prepare'] | null): void {
  if (!answer || answer.parameters === parameters) return
  throw new MixlabError('backend', `${name}, ${row.peer}`, `has ${answer.parameters} parameters, ours ${parameters}`)
}
