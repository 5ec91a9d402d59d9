import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire, getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { configurations } from '../../engine/bench/configurations.ts'
import { hasPlainTwin } from '../../engine/bench/plain.ts'
import { currentBundle } from '../cells/bundle.ts'
import { SMALL_YOUNG_GENERATION } from '../youngGeneration.ts'
import type { Start } from './peerProcess.ts'

/** Another engine, or configuration of one, that trains and applies the same models. */
export interface Peer {
  peer:
    | 'simd'
    | 'simd, plain tfjs'
    | 'wasm'
    | 'cpu'
    | 'torch'
    | 'torch, tuned'
    | 'torch.compile'
    | 'webgpu'
    | 'webgpu, stock tfjs'
    | 'webgl, stock tfjs'
    | 'torch, cuda'
    | 'torch.compile, cuda'
  /** Not known of a peer that is not there. */
  threads?: number
  /** Threads of the matrix products, where they are counted apart. */
  blasThreads?: number
  /** How it is started, or why it is not there. */
  start: Start | string
  /** Turns for slow peers, instead of as many as asked for. */
  turns?: { warmUp: number; rounds: number }
  /** The configurations that it runs, where that is not all, and why not the others. */
  only?: { names: readonly string[]; note: string }
}

/** A Python that has PyTorch. */
export interface Torch {
  python: string
  version: string
  /** The graphics card that it can use; null without one. */
  cuda: string | null
  /** Whether its products have threads of their own: those of OpenBLAS do, those of MKL are its own. */
  hasBlasThreads: boolean
}

/** The configurations that the stock backends run; the others take them minutes. */
const STOCK = ['gmlp-128x6', 'mixer-128x6', 'gmlp-64x4', 'vit-128x6', 'gmlp-text-128x6', 'gmlp-64x4-batch-8']

const ROOT = realpathSync(join(import.meta.dirname, '../..'))
const TWINS = join(import.meta.dirname, 'twins.py')

/**
 * This engine with one thread and with all, and on it the models in plain tfjs; the stock backends of tfjs (which have one
 * thread in Node), and PyTorch. Then those on the graphics card.
 */
export function listPeers(torch: Torch | null, cores = availableParallelism()): Peer[] {
  const twins = configurations.filter(hasPlainTwin).map(({ name }) => name)
  const [smallest, small, plain] = [
    { names: ['gmlp-64x4', 'gmlp-64x4-batch-8'], note: 'too slow' },
    { names: STOCK, note: 'too slow' },
    { names: twins, note: 'no twin' },
  ]
  return [
    ...[...new Set([1, cores])].map((threads): Peer => ({ peer: 'simd', threads, start: tfjsPeer('simd', threads) })),
    { peer: 'simd, plain tfjs', threads: cores, start: tfjsPeer('simd', cores, 'plain'), only: plain },
    {
      peer: 'wasm',
      threads: 1,
      start: hasWasm() ? tfjsPeer('wasm', 1) : 'not installed',
      turns: { warmUp: 1, rounds: 2 },
      only: small,
    },
    { peer: 'cpu', threads: 1, start: tfjsPeer('cpu', 1), turns: { warmUp: 0, rounds: 1 }, only: smallest },
    ...torchPeers(torch, cores),
    ...cardPeers(torch),
  ]
}

/**
 * The models of this engine on a backend of tfjs, with the scripts and the memory of a process that trains: in the block
 * language, in plain tfjs, or `stock`, in the block language but operation by operation.
 */
export function tfjsPeer(backend: string, threads: number, style: 'blocks' | 'plain' | 'stock' = 'blocks'): Start {
  const cache = getCompileCacheDir() // as for every command
  const environment = cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}
  const bundle = currentBundle(ROOT, 'cells')
  const worker = bundle ? join(dirname(bundle), 'worker.js') : join(import.meta.dirname, 'worker.ts')
  return {
    command: process.execPath,
    words: [SMALL_YOUNG_GENERATION, worker, backend, String(threads), style],
    environment,
  }
}

/**
 * PyTorch with one thread, half of the cores and all of them, for its own loops and, where it has others, for those of
 * BLAS; its models as timm writes them, and tuned. Then those of timm compiled, with all cores.
 */
function torchPeers(torch: Torch | null, cores: number): Peer[] {
  if (!torch) return [{ peer: 'torch', start: 'python3 has no torch' }]
  const counts = [...new Set([1, Math.ceil(cores / 2), cores])]
  const settings = torch.hasBlasThreads
    ? counts.flatMap((blasThreads) => counts.map((threads) => ({ blasThreads, threads })))
    : counts.map((threads) => ({ threads }))
  const { python: command } = torch
  const eager = (['torch', 'torch, tuned'] as const).flatMap((peer) =>
    settings.map((setting: { threads: number; blasThreads?: number }): Peer => {
      const { threads, blasThreads } = setting
      const environment = blasThreads ? { OPENBLAS_NUM_THREADS: String(blasThreads) } : {}
      const words = [TWINS, String(threads), ...(peer === 'torch' ? [] : ['tuned'])]
      return { peer, ...setting, start: { command, words, environment } }
    }),
  )
  const compiled = Number.parseInt(torch.version, 10) >= 2
  const start = compiled ? { command, words: [TWINS, String(cores), 'compile'] } : 'needs PyTorch 2'
  return [...eager, { peer: 'torch.compile', threads: cores, start }]
}

/** Programs on the graphics card beside stock tfjs and PyTorch; each says itself where it finds no card. */
function cardPeers(torch: Torch | null): Peer[] {
  const onCuda = (...more: string[]): Start | string => {
    if (!torch?.cuda) return torch ? 'torch has no card' : 'python3 has no torch'
    return { command: torch.python, words: [TWINS, '1', 'cuda', ...more] }
  }
  return [
    { peer: 'webgpu', start: tfjsPeer('webgpu', 1) },
    { peer: 'webgpu, stock tfjs', start: tfjsPeer('webgpu', 1, 'stock') },
    { peer: 'webgl, stock tfjs', start: 'needs a browser: npm run bench:card' },
    { peer: 'torch, cuda', start: onCuda() },
    { peer: 'torch.compile, cuda', start: onCuda('compile') },
  ]
}

/** What it prints: its version, the name of the card, and whether its products are those of MKL. */
const ASK_TORCH = `
import torch
print(torch.__version__)
print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else "")
print(torch.backends.mkl.is_available())
`

/** The newest PyTorch of the Pythons in these folders, by default those of the path; null where there is none. */
export async function findTorch(folders = pathFolders()): Promise<Torch | null> {
  const real = folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder)) // /bin is /usr/bin
  const pythons = [...new Set(real)].map((folder) => join(folder, 'python3'))
  const asked = await Promise.all(pythons.map(askTorch))
  const found = asked.filter((torch) => torch !== null)
  return found.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }))[0] ?? null
}

function pathFolders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
}

async function askTorch(python: string): Promise<Torch | null> {
  try {
    const { stdout } = await promisify(execFile)(python, ['-c', ASK_TORCH])
    const [version = '', cuda, mkl] = stdout.split('\n')
    return { python, version, cuda: cuda || null, hasBlasThreads: mkl !== 'True' }
  } catch {
    return null
  }
}

function hasWasm(): boolean {
  try {
    createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')
    return true
  } catch {
    return false
  }
}
