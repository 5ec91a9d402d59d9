// A worker that trains runs beside others, started by the kernel. Named so that it is served with the kernel's headers.
import * as tf from '@tensorflow/tfjs'
import { heldMemory } from '../../engine/backends/memory.ts'
import * as mixlab from '../../engine/index.ts'
import { createScope } from '../../engine/notebook/evaluate.ts'
import { dependenciesOf } from '../../engine/notebook/graph.ts'
import type { Study } from '../../engine/study/compare.ts'
import { serveJob } from '../../engine/study/jobs/job.ts'
import { studiesIn } from '../../engine/study/studies.ts'
import type { TrainerStart } from '../protocol/kernel.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import { spawnAugmenter } from './augmenter.ts'
import { startSimd } from './device.ts'
import { removeForbiddenGlobals } from './forbiddenGlobals.ts'

const MEMORY_EVERY = 1000 // ms

Error.stackTraceLimit = 50 // as in the kernel

const post = postMessage.bind(self)
const started = Promise.withResolvers<TrainerStart>()
addEventListener('message', ({ data }) => !(data instanceof Uint8Array) && started.resolve(data))
setInterval(() => post(heldMemory()), MEMORY_EVERY)
serveJob(workerChannel(self), { evaluate, spawnAugmenter, shared: true })
removeForbiddenGlobals(self)

// The kernel has reported what cells threw after they had ended.
addEventListener('error', (event) => event.preventDefault())
addEventListener('unhandledrejection', (event) => event.preventDefault())

/** The studies of the cell, after the cells that it depends on; what they show, the kernel has shown. */
async function evaluate(): Promise<Study[]> {
  const { cells, facts, id, threads } = await started.promise
  await startSimd(threads)
  const scope = createScope({ mixlab, '@tensorflow/tfjs': tf })
  const silent = () => {}
  const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
  const options = { console, display: silent }
  const needed = dependenciesOf(facts, id)
  for (const each of facts.order.filter((other) => needed.has(other))) {
    await scope.evaluate(cells, facts, each, options)
  }
  const { value, defined } = await scope.evaluate(cells, facts, id, options)
  return studiesIn([value, ...Object.values(defined)])
}
