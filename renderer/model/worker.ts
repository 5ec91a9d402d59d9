import { type Calls, callByName, callsOf } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import { fileCalls } from '../../engine/data/files.ts'
import type { Diagram } from '../../engine/diagram/diagram.ts'
import { receivedAttention } from '../../engine/explain/sentAttention.ts'
import type { AttentionMap } from '../../engine/nn/attentionMaps.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { WhichWeights } from '../../engine/records/store.ts'
import type { MadeAgain } from '../../engine/report/index.ts'
import { host } from '../host/state.ts'
import type { ModellerCalls } from '../protocol/model.ts'
import { workerChannel } from '../protocol/workerChannel.ts'

/** Code that takes longer is ended, in ms: while one types, a loop may have no end for a moment. */
const LONGEST = 30_000

interface Modeller extends ModellerCalls {
  end(reason: string): void
}

let current: Modeller | null = null
let turn: Promise<unknown> = Promise.resolve()

/**
 * Asks the worker that draws models, which is started where there is none; one question after the other. Where an answer takes
 * too long, `what` is said to have. Rejects with MixlabError.
 */
export function askModeller<Answer>(
  ask: (modeller: ModellerCalls) => Promise<Answer>,
  what = 'its code',
): Promise<Answer> {
  const answer = turn.then(async () => {
    const modeller = current ?? start()
    current = modeller
    const timer = setTimeout(() => modeller.end(`${what} ran for over ${LONGEST / 1000} s and was ended`), LONGEST)
    try {
      return await ask(modeller)
    } finally {
      clearTimeout(timer)
    }
  })
  turn = answer.catch(() => {})
  return answer
}

/** The model of a run of the store. Rejects with MixlabError. */
export const diagramOfRun = (run: StoredRunDetails): Promise<Diagram> => askModeller((modeller) => modeller.ofRun(run))

/** What a run of the store attends to with such weights, in a validation example. Rejects with MixlabError. */
export async function attentionOfRun(id: number, which: WhichWeights = 'last', example = 0): Promise<AttentionMap[]> {
  const run = await host().showRun(String(id))
  const weights = await host().readWeights(id, which)
  return receivedAttention(await askModeller((modeller) => modeller.attention({ run, weights, example })))
}

/** What reports show of models that are made again. */
export const madeAgain: MadeAgain = { diagramOf: diagramOfRun, attentionOf: (run) => attentionOfRun(run) }

function start(): Modeller {
  const worker = new Worker(new URL('./kernel-model.ts', import.meta.url), { type: 'module', name: 'mixlab model' })
  const page = callsOf(fileCalls, (name, given) => callByName(host(), name, given))
  const { remote, close } = connect<ModellerCalls, Calls<typeof fileCalls>>(page, workerChannel(worker))
  const modeller: Modeller = {
    ofCell: (request) => remote.ofCell(request),
    ofRun: (run) => remote.ofRun(run),
    attention: (request) => remote.attention(request),
    times: (...given) => remote.times(...given),
    stepTimes: (...given) => remote.stepTimes(...given),
    end(reason) {
      worker.terminate()
      close(reason)
      if (current === modeller) current = null
    },
  }
  worker.addEventListener('error', ({ message }) => modeller.end(message || 'the worker could not be loaded'))
  return modeller
}
