import { expect, it, onTestFinished } from 'vitest'
import { describePeer as describeConfiguration } from '../../../app/bench/description.ts'
import { type Start, startPeer } from '../../../app/bench/peerProcess.ts'
import { findTorch, listPeers, tfjsPeer } from '../../../app/bench/peers.ts'
import { configurations } from '../../../engine/bench/configurations.ts'
import { sample } from '../../long.ts'

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
