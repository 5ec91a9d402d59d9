import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { availableParallelism, cpus, freemem, homedir, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { BACKENDS } from '../../engine/backends/types.ts'
import { MixlabError, messageOf, suggest } from '../../engine/errors.ts'
import { journalsIn } from '../journal/read.ts'
import { queueAddress } from '../queue/address.ts'
import { trainCanary } from '../queue/canary.ts'
import { publicKey } from '../queue/keys.ts'
import { asideFolder } from '../queue/worker/aside.ts'
import { openCache } from '../queue/worker/cache.ts'
import { work as workFor } from '../queue/worker/worker.ts'
import { type Arguments, type CliCommand, EXIT } from './command.ts'
import { wholeNumber } from './given/numbers.ts'

/** A run needs about so many bytes, and pays from two threads on. */
const RUN_BYTES = 2 ** 30
const RUN_THREADS = 2

export const work: CliCommand = {
  name: 'work',
  synopsis: '[redis://host]',
  summary: 'train runs out of the queue of a workspace, on any machine',
  words: [0, 1],
  options: {
    key: { value: 'K', help: "the workspace that it works for, as its 'mixlab machines' prints" },
    jobs: { value: 'N', help: 'train this many runs at a time (default: as cores and memory allow)' },
    threads: { value: 'N', help: 'threads of simd, which the runs share (default: as many as the machine has)' },
    backend: { value: 'B', help: 'simd or webgpu (default: simd)' },
    cache: { value: 'DIR', help: 'where data are kept (default: ~/.cache/mixlab)' },
  },
  run: async (given, output) => {
    const address = addressOf(given)
    if (given.options.key === undefined)
      throw new MixlabError('option', '--key', "missing, expected what 'mixlab machines' prints in the workspace")
    const key = publicKey(String(given.options.key))
    const backend = String(given.options.backend ?? 'simd')
    const known = BACKENDS.find((name) => name === backend && name !== 'webgl')
    if (!known)
      throw new MixlabError('option', '--backend', `'${backend}'${suggest(backend, ['simd', 'webgpu', 'cpu'])}`)
    const cores = wholeNumber(given, 'threads', 1) ?? availableParallelism()
    const fit = Math.min(Math.floor(cores / RUN_THREADS), Math.floor(freemem() / RUN_BYTES))
    const jobs = wholeNumber(given, 'jobs', 1) ?? (known === 'webgpu' ? 1 : Math.max(1, fit))
    const folder = cacheFolder(given.options.cache)
    const cache = openCache(folder, output.err)
    const journals = asideFolder(folder)
    const end = output.end()
    sayLeft(journals, output.err)
    try {
      await workFor({
        ...{ address, key, jobs, cache, journals, say: output.err, stop: output.signal, end },
        async canary() {
          output.err('trains its canary, five steps')
          return trainCanary(key.workspace, known)
        },
        id: `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`,
        on: { name: known, device: cpus()[0]?.model.trim() ?? 'unknown processor' },
        threads: Math.max(1, Math.floor(cores / jobs)),
      })
    } catch (error) {
      if (!end.aborted) throw error
      output.err(messageOf(error))
    }
    return output.signal.aborted ? EXIT.interrupted : 0
  },
}

/** The address that the call names, or that of the environment, where its password is out of sight. Throws MixlabError `option`. */
function addressOf({ words: [word] }: Arguments): string {
  const { MIXLAB_QUEUE: set } = process.env
  if (word === undefined && !set)
    throw new MixlabError('option', 'work', 'missing, expected redis://host, here or in MIXLAB_QUEUE')
  return word === undefined ? queueAddress(String(set), 'MIXLAB_QUEUE') : queueAddress(word, 'work')
}

/** Milliseconds after which a journal that has not grown is none of a worker that lives. */
const OLD_MS = 3_600_000

/** Says where the journals of workers are that ended while their server was away. */
function sayLeft(folder: string, say: (line: string) => void): void {
  const paths = existsSync(folder) ? journalsIn(folder) : []
  const left = paths.filter((path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > OLD_MS)
  if (left.length === 0) return
  const many = left.length === 1 ? 'a journal' : `${left.length} journals`
  say(`${folder} has ${many} of earlier workers: 'mixlab import ${folder}' takes what is new, then they can go`)
}

function cacheFolder(given: string | boolean | undefined): string {
  if (given !== undefined) return resolve(String(given))
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mixlab')
}
