import * as tf from '@tensorflow/tfjs'
import type { SimdBackend } from '../../engine/backends/simd/backend.ts'
import { type Configuration, configurations } from '../../engine/bench/configurations.ts'
import { type KernelTime, profileKernels } from '../../engine/bench/profile.ts'
import { prepare } from '../../engine/bench/step.ts'
import { medianAndLeast, type Times } from '../../engine/bench/times.ts'
import { MixlabError, suggest } from '../../engine/errors.ts'
import { useBackend as startBackend } from '../backends.ts'
import { benchCard } from './bench/card.ts'
import { benchPeers } from './bench/peers.ts'
import { type Arguments, CARD, type CliCommand, cardOf, type Terminal } from './command.ts'
import { wholeNumber } from './given/numbers.ts'
import { table } from './terminal/table.ts'

export const bench: CliCommand = {
  name: 'bench',
  synopsis: '[configuration]',
  summary: 'time training step and forward pass of fixed models',
  words: [0, 1],
  options: {
    backend: { value: 'B', help: 'simd (default), webgpu, or cpu, the slow reference' },
    card: CARD,
    threads: { value: 'N', help: 'threads of simd (default: as many as the machine has)' },
    rounds: { value: 'N', help: 'timed calls of each (default: 10)' },
    profile: {
      help: 'also the time of each kernel of a training step, run one by one; on webgpu of each kind of dispatch',
    },
    peers: {
      help: 'beside stock tfjs (wasm: 2 rounds; cpu: 1, of gmlp-64x4 alone) and PyTorch, each a process of its own',
    },
  },
  run: async (given, output) => {
    const { words, options } = given
    const rounds = wholeNumber(given, 'rounds', 1) ?? 10
    const chosen = choose(words[0])
    if (!options.peers) return benchBackend(chosen, rounds, given, output)
    const other = ['backend', 'card', 'threads', 'profile'].find((name) => options[name] !== undefined)
    if (other) throw new MixlabError('option', `--${other}`, 'not together with --peers')
    return benchPeers(chosen, rounds, options.json === true, output)
  },
}

async function benchBackend(
  chosen: readonly Configuration[],
  rounds: number,
  given: Arguments,
  output: Terminal,
): Promise<number> {
  const { options } = given
  const card = cardOf(given)
  if (options.backend === 'webgpu' || card !== undefined) {
    const asked = { json: options.json === true, profile: options.profile === true, card: card ?? null }
    return benchCard(chosen, rounds, asked, output)
  }
  const backend = await startBackend(options.backend as string | undefined, wholeNumber(given, 'threads', 1))
  const { threads } = (tf.backend() as Partial<SimdBackend>).pool ?? { threads: 1 }
  const results: Result[] = []
  for (const configuration of chosen) {
    if (output.signal.aborted) break
    results.push(await measure(configuration, rounds, options.profile === true))
  }
  if (options.json) output.out(JSON.stringify({ ...backend, threads, rounds, results }))
  else print(results, output)
  return 0
}

interface Result {
  configuration: string
  train: Times
  forward: Times
  /** Bytes of the simd backend's heap at most so far; null on others. */
  heapPeakBytes: number | null
  kernels: KernelTime[] | null
}

function choose(name: string | undefined): readonly Configuration[] {
  if (name === undefined) return configurations
  const found = configurations.filter((configuration) => configuration.name === name)
  const known = configurations.map((configuration) => configuration.name)
  if (found.length === 0) {
    throw new MixlabError('option', 'bench', `unknown configuration '${name}'${suggest(name, known)}`)
  }
  return found
}

/** Calls that are not timed: WebAssembly is compiled further, and the heap grows, while they run. */
const WARM_UP = 3

async function measure(configuration: Configuration, rounds: number, profile: boolean): Promise<Result> {
  const { train, forward, dispose } = prepare(configuration)
  try {
    const times = async (run: () => Promise<unknown>): Promise<Times> => {
      for (let i = 0; i < WARM_UP; i++) await run()
      const all: number[] = []
      for (let i = 0; i < rounds; i++) {
        const begun = performance.now()
        await run()
        all.push(performance.now() - begun)
      }
      return medianAndLeast(all)
    }
    const result = { configuration: configuration.name, train: await times(train), forward: await times(forward) }
    const { heapPeakBytes = null } = tf.memory() as { heapPeakBytes?: number }
    return { ...result, heapPeakBytes, kernels: profile ? await profileOf(configuration) : null }
  } finally {
    dispose()
  }
}

/** The kernels of a training step that runs operation by operation, where each can be timed by itself. */
async function profileOf(configuration: Configuration): Promise<KernelTime[]> {
  const { train, dispose } = prepare(configuration, { program: false })
  try {
    for (let i = 0; i < WARM_UP; i++) await train()
    return await profileKernels(train)
  } finally {
    dispose()
  }
}

function print(results: Result[], { out }: Terminal): void {
  const ms = (value: number) => value.toFixed(1)
  const rows = results.map(({ configuration, train, forward, heapPeakBytes }) => [
    configuration,
    ...[...train, ...forward].map(ms),
    heapPeakBytes === null ? '-' : (heapPeakBytes / 1e6).toFixed(0),
  ])
  const header = ['configuration', 'step, ms', 'least', 'forward, ms', 'least', 'heap, MB']
  for (const line of table(header, rows)) out(line)
  for (const { configuration, kernels } of results) {
    if (!kernels) continue
    out('')
    const lines = kernels.slice(0, 12).map(({ kernel, calls, ms: time }) => [kernel, String(calls), ms(time)])
    for (const line of table([`${configuration}: kernel`, 'calls', 'ms'], lines)) out(line)
  }
}
