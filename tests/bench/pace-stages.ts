// One example of 1,024 tokens on few threads, beside PyTorch in its fastest setting, in turns.
import { setTimeout as pause } from 'node:timers/promises'
import * as tf from '@tensorflow/tfjs'
import { peerName } from '../../app/bench/compare.ts'
import { describePeer } from '../../app/bench/description.ts'
import { type PeerProcess, startPeer } from '../../app/bench/peerProcess.ts'
import { findTorch, listPeers, tfjsPeer } from '../../app/bench/peers.ts'
import { configurations } from '../../engine/bench/configurations.ts'
import { NotMeasured, type PaceRow } from './pace-row.ts'

type What = 'train' | 'forward'

/** Rounds in which the fastest setting of PyTorch is found. */
const TRIALS = 3
/** Milliseconds before each turn: the threads of BLAS look for more work so long before they sleep. */
const PAUSE = 100

/** Seconds of a step of ours on some threads, and of PyTorch 1.13 with one and two of both kinds, whichever is fastest. */
export function stagesRow(what: What = 'train', threads = 2): PaceRow {
  const [batch, configuration] = [1, 'gmlp-1024']
  const processes: PeerProcess[] = []
  const end = () => Promise.all(processes.map((each) => each.end())).then(() => {})
  const twin = { name: 'PyTorch', measure: () => Promise.reject(new Error('not prepared')) as Promise<number> }
  const row: PaceRow = {
    name: `stages-${what}-${threads}`,
    title: `${what === 'train' ? 'A training step' : 'A forward pass'} of ${configuration} with batch ${batch} and ${threads} threads`,
    unit: 'ratio',
    goal: 1,
    prepare: async () => {
      const torch = await findTorch(['/usr/bin'])
      if (!torch) throw new NotMeasured('no PyTorch in /usr/bin')
      const found = configurations.find(({ name }) => name === configuration)
      if (!found) throw new Error(`no configuration '${configuration}'`)
      tf.enableProdMode()
      await tf.setBackend('cpu')
      const model = await describePeer({ ...found, batch })
      const prepared = async (name: string, start: Parameters<typeof startPeer>[1]) => {
        const process = startPeer(name, start)
        processes.push(process)
        await process.ask('prepare', model)
        for (let i = 0; i < TRIALS; i++) await process.ask(what)
        return secondsOf(process, what)
      }
      row.ours = await prepared('simd', tfjsPeer('simd', threads))
      const trials: { name: string; seconds: number; measure: () => Promise<number> }[] = []
      for (const peer of listPeers(torch, 2)) {
        if ((peer.peer !== 'torch' && peer.peer !== 'torch, tuned') || typeof peer.start === 'string') continue
        const name = `${peerName(peer)}, threads ${peer.threads}`
        const measure = await prepared(name, peer.start)
        const times: number[] = []
        for (let i = 0; i < TRIALS; i++) times.push(await measure())
        trials.push({ name, measure, seconds: Math.min(...times) })
      }
      const [fastest] = trials.sort((a, b) => a.seconds - b.seconds)
      if (fastest) Object.assign(twin, { name: `PyTorch ${torch.version}, ${fastest.name}`, measure: fastest.measure })
    },
    ours: () => Promise.reject(new Error('not prepared')) as Promise<number>,
    twin,
    end,
  }
  return row
}

function secondsOf(process: PeerProcess, what: What) {
  return async (): Promise<number> => {
    await pause(PAUSE)
    return (await process.ask(what)).ms / 1000
  }
}
