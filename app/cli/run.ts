import { availableParallelism } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import { MixlabError, quoted, suggest } from '../../engine/errors.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import { allNamesIn } from '../../engine/study/source/designs.ts'
import { tuningName } from '../../engine/study/tuning/names.ts'
import { type LocalHost, openHost } from '../host.ts'
import { openJournalStore } from '../journal/store.ts'
import type { OwnedQueue } from '../queue/owner/owner.ts'
import { fileErrorReason } from '../workspace/file-error.ts'
import { readRegularFile } from '../workspace/regular-file.ts'
import { type Arguments, CARD, type CliCommand, cardOf, EXIT, type Terminal, TRUST, workspaceOf } from './command.ts'
import { wholeNumber } from './given/numbers.ts'
import { maybeQueueOf } from './given/queue.ts'
import { createAgain } from './training/again.ts'
import { runNotebook, type Wanted } from './training/notebook.ts'
import { type NotebookFile, notebooksAt } from './training/notebooks.ts'
import { createOutcome } from './training/outcome.ts'
import { runOnSlurm } from './training/slurm.ts'

const PRINTED = ['text', 'markdown', 'latex']

export const run: CliCommand = {
  name: 'run',
  synopsis: '<notebook>...',
  summary: 'train the studies of notebooks, or of all in a folder, and compare their variants',
  words: [1, Number.POSITIVE_INFINITY],
  options: {
    study: { value: 'S', help: "only this study; 'S, tuning': only the runs that choose its values" },
    only: { value: 'V,...', help: 'only these variants' },
    seeds: { value: 'N', help: 'this many seeds, or these: 11,12' },
    quick: { help: 'few steps and seeds: see that everything works' },
    backend: { value: 'B', help: 'simd, webgpu, or cpu, the slow reference (default: the fastest)' },
    card: CARD,
    again: { value: 'W,...', help: 'train again: variants, all, failed, or what a backend trained, e.g. webgl' },
    move: { help: 'let runs that were interrupted on another backend continue on this one, marked' },
    jobs: {
      value: 'N',
      help: 'train this many runs at a time, which share the threads (default: 1); with --backend webgpu seeds of a variant, where that is faster',
    },
    threads: { value: 'N', help: 'threads of simd (default: as many as the machine has)' },
    format: { value: 'F', help: `how the comparison is printed: ${PRINTED.join(', ')} (default: text)` },
    queue: {
      value: 'ADDRESS',
      help: "let the machines at a queue train, redis://host (default: MIXLAB_QUEUE, else this one trains); see 'mixlab machines'",
    },
    verify: { value: 'P%', help: 'train this share of what machines at the queue have trained again, here' },
    data: { value: 'DIR', help: 'let the notebook read data files below this folder' },
    journal: {
      value: 'DIR',
      help: "train into a journal in this folder, not into the store; 'mixlab import' takes it",
    },
    runs: { value: 'FILE', help: 'only the runs whose keys are in this file, one a line' },
    on: { value: 'slurm', help: 'let a cluster train, by an array of Slurm; options of sbatch stand behind --' },
    trust: TRUST,
  },
  rest: 'on',
  run: async (given, output) => {
    const wanted = wantedOf(given)
    const verified = shareOf(given)
    const format = String(given.options.format ?? 'text')
    if (!PRINTED.includes(format)) {
      throw new MixlabError('option', '--format', `unknown format '${format}'${suggest(format, PRINTED)}`)
    }
    const files = await notebooksAt(given.words)
    if (wanted.study !== null) refuseUnknown(wanted.study, namesWritten(files))
    if (given.options.on !== undefined) {
      notTogether(given, 'on', ['again', 'move', 'queue', 'format', 'runs'])
      return runOnSlurm(files, wanted, given, output)
    }
    const several = files.length > 1
    const again = createAgain(given.options.again, several)
    const data = given.options.data === undefined ? [] : [String(given.options.data)]
    const journal = journalOf(given)
    const host = openHost({
      ...{ workspace: workspaceOf(given), data, unrestricted: wanted.trusted },
      ...(journal !== null && { store: openJournalStore(journal, output.err) }),
    })
    const stopped = () => (journal !== null && isHandedBack(output.signal) ? EXIT.handedBack : EXIT.interrupted)
    const address = queueOf(given)
    const outcome = createOutcome(several, given.options.json === true, output)
    const end = output.end()
    const names: string[] = []
    let queue: OwnedQueue | undefined
    try {
      const { workspace } = await host.describe()
      queue = address === null ? undefined : await ownedQueue(address, host, workspace, output.err)
      for (const { path, ...file } of files) {
        if (output.signal.aborted) return stopped()
        const notebook = { ...file, name: inWorkspace(path, workspace) }
        const shared = { host, given, output, end, outcome, queue }
        const found = await runNotebook(notebook, { ...wanted, againIn: again.wordsIn }, shared)
        names.push(...found.names)
        if (found.interrupted) return stopped()
      }
      if (wanted.study !== null) refuseUnknown(wanted.study, names)
      again.check()
      if (verified !== null && queue) await verify(queue, verified, wanted.threads, output)
      return outcome.conclude()
    } catch (error) {
      if (!end.aborted) throw error
      output.err('interrupted at once; the same command goes on from the last checkpoint')
      return stopped()
    } finally {
      await queue?.close()
      host.close()
    }
  },
}

/** The folder of the journals that a call trains into; null for the store. Throws MixlabError `option`. */
function journalOf(given: Arguments): string | null {
  const { options } = given
  if (options.journal === undefined) return null
  notTogether(given, 'journal', ['again', 'move', 'queue'])
  return resolve(String(options.journal))
}

/** The address of the queue that trains; null where none does, as with a journal. Throws MixlabError `option`. */
const queueOf = (given: Arguments) => (given.options.journal === undefined ? maybeQueueOf(given) : null)

/** Throws MixlabError `option` where a call has one of some options beside another one. */
function notTogether({ options }: Arguments, name: string, others: string[]): void {
  const other = others.find((each) => options[each] !== undefined)
  if (other) throw new MixlabError('option', `--${other}`, `not together with --${name}`)
}

/** The keys of the runs that are wanted; undefined for all. Throws MixlabError `option`. */
function keysOf({ options }: Arguments): string[] | undefined {
  if (options.runs === undefined) return undefined
  const path = String(options.runs)
  try {
    const keys = readRegularFile(path)
      .toString()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const other = keys.find((key) => !/^[\da-f]{64}$/.test(key))
    if (other !== undefined)
      throw new MixlabError('option', '--runs', `${path} has ${quoted(other)}, expected keys of runs`)
    return keys
  } catch (error) {
    if (error instanceof MixlabError) throw error
    throw new MixlabError('option', '--runs', `${path} cannot be read: ${fileErrorReason(error)}`)
  }
}

/** Whether the system has asked to stop, and not somebody at the terminal. */
const isHandedBack = ({ reason }: AbortSignal) => reason === 'SIGTERM' || reason === 'SIGUSR1'

/** What a call wants trained, and how. Throws MixlabError `option`. */
function wantedOf(given: Arguments): Omit<Wanted, 'againIn'> {
  const { options } = given
  const places = wholeNumber(given, 'jobs', 1) ?? 1
  const threads = wholeNumber(given, 'threads', 1) ?? availableParallelism()
  const seeds = seedsOf(given)
  const backend = options.backend === undefined ? null : String(options.backend)
  const cardName = cardOf(given)
  const queued = queueOf(given) !== null
  if (queued && places > 1) {
    throw new MixlabError('option', '--jobs', 'not together with --queue: each machine says how many it trains')
  }
  if (places > 1 && cardName !== undefined && backend !== 'webgpu') {
    throw new MixlabError('option', '--jobs', 'on a graphics card needs --backend webgpu')
  }
  return {
    ...{
      backend: backend ?? (queued ? 'simd' : null),
      cardName,
      threads,
      places,
      trusted: options.trust === true,
    },
    study: options.study === undefined ? null : String(options.study),
    choice: {
      only: options.only ? String(options.only).split(',') : undefined,
      seeds,
      quick: options.quick === true,
      keys: keysOf(given),
      move: options.move === true,
    },
  }
}

/** How many seeds, or which, each once: `3`, or `11,12`. Throws MixlabError `option`. */
function seedsOf(given: Arguments): number | number[] | undefined {
  const text = String(given.options.seeds ?? '')
  if (!text.includes(',')) return wholeNumber(given, 'seeds', 1)
  const seeds = text.split(',').map((seed) => wholeNumber({ ...given, options: { seeds: seed } }, 'seeds', 0) ?? 0)
  const twice = seeds.find((seed, i) => seeds.indexOf(seed) < i)
  if (twice !== undefined)
    throw new MixlabError('option', '--seeds', `${twice} is there twice, expected each seed once`)
  return seeds
}

/** Throws MixlabError `option` for a study that is none of some; nothing is known where there are none. */
function refuseUnknown(study: string, names: readonly string[]): void {
  if (names.length === 0 || names.some((name) => study === name || study === tuningName(name))) return
  throw new MixlabError('option', '--study', `unknown study '${study}'${suggest(study, names)}`)
}

/** The names of all studies of some notebooks, as far as their texts say all of them, before any code runs; else none. */
function namesWritten(files: readonly NotebookFile[]): string[] {
  try {
    const cells = files.flatMap(({ text }) => parseNotebook(text)).filter(({ kind }) => kind === 'code')
    return allNamesIn(cells) ?? []
  } catch {
    return [] // a notebook that cannot be read says so in its turn
  }
}

/** The path of a notebook, below the workspace where it is there. */
function inWorkspace(path: string, workspace: string): string {
  const below = relative(workspace, path)
  return below.startsWith('..') || isAbsolute(below) ? path : below
}

/** The queue of a workspace. Throws MixlabError. */
async function ownedQueue(
  address: string,
  host: LocalHost,
  workspace: string,
  say: (line: string) => void,
): Promise<OwnedQueue> {
  const { openWorkspaceQueue } = await import('../queue/owner/open.ts')
  return openWorkspaceQueue(address, host, workspace, say)
}

/** The share that `--verify` names. Throws MixlabError `option`. */
function shareOf(given: Arguments): number | null {
  const text = given.options.verify
  if (text === undefined) return null
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(String(text))?.[1]
  if (percent === undefined || Number(percent) > 100)
    throw new MixlabError('option', '--verify', `'${text}', expected a share up to 100%, e.g. 2%`)
  if (queueOf(given) === null) throw new MixlabError('option', '--verify', 'needs --queue: here nobody else trains')
  return Number(percent) / 100
}

/** Trains a share of the runs of others again, and says what came of it. */
async function verify(queue: OwnedQueue, share: number, threads: number, { err, signal }: Terminal): Promise<void> {
  const { tried, differ } = await queue.verify(share, threads, signal)
  const many = tried === 1 ? '1 run was' : `${tried} runs were`
  err(
    `${many} trained again here: ${differ.length === 0 ? 'the same bits' : `${differ.length} with other bits, marked as doubtful`}`,
  )
  for (const line of differ) err(`  ${line}`)
}
