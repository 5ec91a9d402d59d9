import { expect, it } from 'vitest'
import { bestTorch, comparePeers } from '../../../app/bench/compare.ts'
import type { PeerModel } from '../../../app/bench/description.ts'
import { listPeers, type Peer } from '../../../app/bench/peers.ts'

const description: PeerModel = {
  name: 'tiny',
  architecture: 'mixer',
  modality: 'image',
  size: {
    patch: 4,
    dim: 8,
    depth: 1,
    ffn: 8,
    ffnRatio: 1,
    dropPath: 0,
    dropPathDecay: 'constant',
    dropout: { hidden: 0, activation: 0, attention: 0, head: 0, embedding: 0 },
    eps: 1e-6,
    activation: 'gelu',
  },
  input: [8, 8, 3],
  outputs: 2,
  batch: 1,
  parameters: 10,
  macs: { train: 30, forward: 10 },
}

/** A process that answers every question with the next of these. */
function answering(...answers: object[]) {
  const code = `
    const answers = ${JSON.stringify(answers)}
    process.stdin.on('data', () => console.log(JSON.stringify(answers.shift())))`
  return { command: process.execPath, words: ['-e', code] }
}

const counted = { parameters: 10 }
const bytes = { bytes: 5e6 }
const turns = { warmUp: 1, rounds: 2 }
const signal = new AbortController().signal

it('times all peers, leaves out the warm-up, and says why there are no figures', async () => {
  const ms = (...all: number[]) => all.map((ms) => ({ ms }))
  const peers: Peer[] = [
    { peer: 'simd', threads: 1, start: answering(counted, ...ms(90, 40, 30), bytes, ...ms(9, 4, 3)), turns },
    { peer: 'simd', threads: 2, start: answering(counted, ...ms(90, 20, 20), bytes, ...ms(9, 2, 2)), turns },
    { peer: 'wasm', start: 'not installed' },
    { peer: 'cpu', start: answering(counted), only: { names: ['smallest'], note: 'too slow' } },
    { peer: 'torch', threads: 1, blasThreads: 2, start: answering(counted, { error: 'out of memory' }), turns },
  ]
  const turnsOf: string[] = []
  const rows = await comparePeers(description, peers, { rounds: 2, signal, onTurn: (turn) => turnsOf.push(turn) })
  expect(rows).toMatchObject([
    { peer: 'simd', threads: 1, train: [40, 30], forward: [4, 3], peakBytes: 5e6, ratio: 2 },
    { peer: 'simd', threads: 2, train: [20, 20], forward: [2, 2], peakBytes: 5e6, ratio: 1 },
    { peer: 'wasm', train: null, note: 'not installed' },
    { peer: 'cpu', train: null, note: 'too slow' },
    { peer: 'torch', train: null, forward: null, ratio: null, note: 'torch, BLAS 2: out of memory' },
  ])
  expect(turnsOf[0]).toBe('train 1 of 3, simd')
  expect(bestTorch(rows)).toBe(null)
})

it('refuses a twin that is another model', async () => {
  const peers: Peer[] = [{ peer: 'torch', threads: 1, start: answering({ parameters: 11 }) }]
  await expect(comparePeers(description, peers, { rounds: 1, signal })).rejects.toThrow(
    'tiny, torch: has 11 parameters, ours 10',
  )
})

it('stops when asked to', async () => {
  const peers: Peer[] = [{ peer: 'simd', threads: 1, start: answering(counted, {}, bytes) }]
  const [row] = await comparePeers(description, peers, { rounds: 1, signal: AbortSignal.abort() })
  expect(row?.train).toBe(null)
})

const TORCH = { python: 'python3', version: '2.13.0+cpu', cuda: null, hasBlasThreads: false }

it('takes PyTorch with all numbers of threads', () => {
  const threadsOf = (hasBlasThreads: boolean) =>
    listPeers({ ...TORCH, hasBlasThreads }, 4)
      .filter(({ peer }) => peer === 'torch')
      .map(({ threads, blasThreads }) => `${blasThreads ?? ''}/${threads}`)
      .join(' ')
  expect(threadsOf(true)).toBe('1/1 1/2 1/4 2/1 2/2 2/4 4/1 4/2 4/4')
  expect(threadsOf(false)).toBe('/1 /2 /4')
  expect(listPeers(null, 1).map(({ peer }) => peer)).toEqual([
    'simd',
    'simd, plain tfjs',
    'wasm',
    'cpu',
    'torch',
    'webgpu',
    'webgpu, stock tfjs',
    'webgl, stock tfjs',
    'torch, cuda',
    'torch.compile, cuda',
  ])
  expect(listPeers(null, 1).find(({ peer }) => peer === 'torch')?.start).toBe('python3 has no torch')
})

it('takes PyTorch compiled where it can', () => {
  const compiled = (version: string) =>
    listPeers({ ...TORCH, version }, 4).find(({ peer }) => peer === 'torch.compile')?.start
  expect(compiled('2.13.0+cpu')).toMatchObject({ words: [expect.stringContaining('twins.py'), '4', 'compile'] })
  expect(compiled('1.13.0a0')).toBe('needs PyTorch 2')
})

it('takes PyTorch on the graphics card that it can use', () => {
  const onCuda = (cuda: string | null) =>
    listPeers({ ...TORCH, cuda }, 1)
      .filter(({ peer }) => peer.endsWith('cuda'))
      .map(({ start }) => (typeof start === 'string' ? start : start.words.slice(1).join(' ')))
  expect(onCuda('H200')).toEqual(['1 cuda', '1 cuda compile'])
  expect(onCuda(null)).toEqual(['torch has no card', 'torch has no card'])
})

it('runs the twins in plain tfjs with all threads', () => {
  const plain = listPeers(null, 2).filter(({ peer }) => peer === 'simd, plain tfjs')
  expect(plain).toMatchObject([
    { threads: 2, only: { names: expect.arrayContaining(['gmlp-128x6']), note: 'no twin' } },
  ])
})
