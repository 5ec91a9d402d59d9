// One example of 1,024 tokens on few threads, beside PyTorch in its fastest setting, in turns: a row of the paces that are
// promised, and by itself
//   node tests/bench/pace-stages.ts [--rounds 15] [--batch 1] [--configuration gmlp-1024]
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as tf from '@tensorflow/tfjs'
import { peerName } from '../../app/bench/compare.ts'
import { describePeer } from '../../app/bench/description.ts'
import { type PeerProcess, startPeer } from '../../app/bench/peerProcess.ts'
import { findTorch, listPeers, tfjsPeer } from '../../app/bench/peers.ts'
import { configurations } from '../../engine/bench/configurations.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'

type What = 'train' | 'forward'

export interface StagesOptions {
  what?: What
  /** Of ours; PyTorch has one and two of both kinds, whichever is the fastest. */
  threads?: number
  batch?: number
  configuration?: string
}

/** Rounds in which the fastest setting of PyTorch is found. */
const TRIALS = 3
/** Milliseconds before each turn: the threads of BLAS look for more work so long before they sleep. */
const PAUSE = 100

/** A row as `npm run bench:pace` takes it: seconds of a step of ours and of PyTorch 1.13, whose ratio is at most 1. */
export function stagesRow({ what = 'train', threads = 2, batch = 1, configuration = 'gmlp-1024' }: StagesOptions = {}) {
  const processes: PeerProcess[] = []
  const end = () => Promise.all(processes.map((each) => each.end())).then(() => {})
  const twin = { name: 'PyTorch', measure: () => Promise.reject(new Error('not prepared')) as Promise<number> }
  const row = {
    name: `stages-${what}-${threads}`,
    title: `${what === 'train' ? 'A training step' : 'A forward pass'} of ${configuration} with batch ${batch} and ${threads} threads`,
    unit: 'ratio' as const,
    goal: 1,
    prepare: async () => {
      const torch = await findTorch(['/usr/bin'])
      if (!torch) throw new Error('no PyTorch in /usr/bin')
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

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '15' },
      batch: { type: 'string', default: '1' },
      configuration: { type: 'string', default: 'gmlp-1024' },
    },
  })
  const { configuration } = values
  for (const what of ['train', 'forward'] as const) {
    for (const threads of [1, 2]) {
      const row = stagesRow({ what, threads, batch: Number(values.batch), configuration })
      try {
        await row.prepare()
        const [own, other]: [number[], number[]] = [[], []]
        for (let round = 0; round < Number(values.rounds); round++) {
          own.push(await row.ours())
          other.push(await row.twin.measure())
        }
        const [[median, least], [twins, leastTwin]] = [medianAndLeast(own), medianAndLeast(other)]
        const ratios = medianAndLeast(own.map((seconds, i) => seconds / (other[i] as number)))
        const text = [median, least, twins, leastTwin].map((seconds) => (1000 * seconds).toFixed(1))
        console.log(
          `${row.title}: ${text[0]} [${text[1]}] ms; ${row.twin.name}: ${text[2]} [${text[3]}] ms; ` +
            `ratio of the pairs ${ratios[0].toFixed(2)}, of the least times ${(least / leastTwin).toFixed(2)}`,
        )
      } finally {
        await row.end()
      }
    }
  }
}
