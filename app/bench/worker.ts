// One peer of `mixlab bench --peers`: `node worker.ts BACKEND THREADS [blocks|plain|stock]` answers the questions of peerProcess.ts.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as tf from '@tensorflow/tfjs'
import { isSoftware } from '../../engine/backends/software.ts'
import { configurations } from '../../engine/bench/configurations.ts'
import { measureRates } from '../../engine/bench/peak.ts'
import { preparePlain } from '../../engine/bench/plain.ts'
import { type Bench, prepare } from '../../engine/bench/step.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { useBackend as startBackend } from '../backends.ts'
import type { PeerModel } from './description.ts'
import type { PeerAnswers } from './peerProcess.ts'

type Question = Pick<PeerModel, 'name' | 'parameters' | 'batch'> & { do: keyof PeerAnswers }

const [backend = '', threads = '', style = 'blocks'] = process.argv.slice(2)
await start().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(1)
})

let bench: Bench | undefined
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await reply(JSON.parse(line)).catch((error: unknown) => ({ error: messageOf(error) }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

async function reply(question: Question): Promise<PeerAnswers[keyof PeerAnswers]> {
  if (question.do === 'rates') return measureRates()
  if (question.do === 'memory') return { bytes: 1024 * peakKilobytes() }
  if (question.do === 'prepare') {
    const found = configurations.find(({ name }) => name === question.name)
    if (!found) throw new MixlabError('option', 'bench', `unknown configuration '${question.name}'`)
    const counted = { parameters: question.parameters } // by the same code
    const made =
      style === 'plain'
        ? preparePlain(found)
        : { ...prepare({ ...found, batch: question.batch }, { program: style !== 'stock' }), ...counted }
    bench = made
    return { parameters: made.parameters }
  }
  if (!bench) throw new MixlabError('option', 'bench', `'${question.do}' before 'prepare'`)
  const begun = performance.now()
  await bench[question.do]()
  return { ms: performance.now() - begun }
}

/** On Linux not `maxRSS`, which begins with the peak of the process that started this one. */
function peakKilobytes(): number {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
  const peak = /VmHWM:\s+(\d+)/.exec(status)?.[1]
  return peak ? Number(peak) : process.resourceUsage().maxRSS
}

async function start(): Promise<void> {
  if (backend === 'wasm') return startWasm()
  const { device } = await startBackend(backend, Number(threads))
  if (isSoftware(device)) throw new MixlabError('backend', backend, `${device} is no graphics card`)
}

/** The stock WebAssembly backend of tfjs, as it comes. */
async function startWasm(): Promise<void> {
  await import('@tensorflow/tfjs-backend-wasm')
  tf.enableProdMode()
  if (!(await tf.setBackend('wasm'))) throw new MixlabError('backend', 'wasm', 'does not start here')
}
