import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bestTorch, comparePeers } from '../../../app/bench/compare.ts'
import { describePeer as describeConfiguration, type PeerModel } from '../../../app/bench/description.ts'
import { type Start, startPeer } from '../../../app/bench/peerProcess.ts'
import { findTorch, listPeers, type Peer, tfjsPeer } from '../../../app/bench/peers.ts'
import { configurations } from '../../../engine/bench/configurations.ts'
import { sample } from '../../long.ts'

describe('comparing peers', () => {
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
})

/** A folder with a python3 that says these lines, or fails. */
async function pythonSaying(root: string, name: string, lines: string[] | null): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder)
  const script = lines ? `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}` : 'exit 1'
  await writeFile(join(folder, 'python3'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'python3'), 0o755)
  return folder
}

it('takes the newest PyTorch of all Pythons', async () => {
  const root = await mkdtemp(join(tmpdir(), 'mixlab-torch-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const old = await pythonSaying(root, 'old', ['2.9.1', '', 'False'])
  const recent = await pythonSaying(root, 'recent', ['2.13.0+cpu', 'H100', 'True'])
  const none = await pythonSaying(root, 'none', null)
  expect(await findTorch([none, old, recent, join(root, 'gone')])).toEqual({
    python: join(recent, 'python3'),
    version: '2.13.0+cpu',
    cuda: 'H100',
    hasBlasThreads: false,
  })
  expect(await findTorch([old])).toMatchObject({ version: '2.9.1', cuda: null, hasBlasThreads: true })
  expect(await findTorch([none])).toBe(null)
})

const torch = await findTorch()
const descriptions = await Promise.all(configurations.map(describeConfiguration))
const small = descriptions.find(({ name }) => name === 'gmlp-64x4')

function started(start: Start) {
  const peer = startPeer('peer', start)
  onTestFinished(peer.end)
  return peer
}

it('times our own models', async () => {
  const { ask } = started(tfjsPeer('simd', 2))
  expect(await ask('prepare', small)).toEqual({ parameters: 121_674 })
  expect((await ask('train')).ms).toBeGreaterThan(0)
  expect((await ask('forward')).ms).toBeGreaterThan(0)
  expect((await ask('memory')).bytes).toBeGreaterThan(5e7)
})

it('times the twin in plain tfjs, which has as many parameters', async () => {
  const { ask } = started(tfjsPeer('simd', 2, 'plain'))
  expect(await ask('prepare', small)).toEqual({ parameters: 121_674 })
  expect((await ask('train')).ms).toBeGreaterThan(0)
  expect((await ask('forward')).ms).toBeGreaterThan(0)
})

it('says what a peer cannot do, and goes on', async () => {
  const { ask } = started(tfjsPeer('cpu', 1))
  await expect(ask('train')).rejects.toThrow("peer: bench: 'train' before 'prepare'")
  expect((await ask('memory')).bytes).toBeGreaterThan(5e7)
})

it.each([
  ['an error', tfjsPeer('webgl', 1), "peer: ended: --backend: 'webgl' needs a browser"],
  ['a code', { command: process.execPath, words: ['-e', 'process.exit(3)'] }, 'peer: ended: code 3'],
  ['no start', { command: 'no-such-command', words: [] }, 'peer: ended: spawn no-such-command ENOENT'],
])('says why a peer has ended: %s', async (_, start, message) => {
  await expect(started(start).ask('memory')).rejects.toThrow(message)
})

it.skipIf(!torch)('PyTorch has twins with as many parameters', async () => {
  const { ask } = started(listPeers(torch, 1).find(({ peer }) => peer === 'torch')?.start as Start)
  for (const description of sample(descriptions, 0, 5)) {
    expect(await ask('prepare', description), description.name).toEqual({ parameters: description.parameters })
  }
  await ask('prepare', small)
  expect((await ask('train')).ms).toBeGreaterThan(0)
  expect((await ask('forward')).ms).toBeGreaterThan(0)
  expect((await ask('memory')).bytes).toBeGreaterThan(5e7)
})
