// A worker that evaluates cells as they are typed, to draw their models. Named so that it is served with the kernel's headers.
import * as tf from '@tensorflow/tfjs'
import type { BackendInfo } from '../../engine/backends/types.ts'
import { measureStepTimes } from '../../engine/bench/stepTimes.ts'
import type { Calls } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import type { fileCalls } from '../../engine/data/files.ts'
import { diagramOfModel, type ModelCode, withRunModel } from '../../engine/diagram/study.ts'
import { measureTimes } from '../../engine/diagram/time.ts'
import { MixlabError } from '../../engine/errors.ts'
import { attentionOf } from '../../engine/explain/attention.ts'
import { sentAttention } from '../../engine/explain/sentAttention.ts'
import * as mixlab from '../../engine/index.ts'
import { makeCurrent } from '../kernel/device.ts'
import { removeForbiddenGlobals } from '../kernel/forbiddenGlobals.ts'
import { yieldToEvents } from '../kernel/yieldToEvents.ts'
import type { ModellerCalls } from '../protocol/model.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import { cellModels } from './cellModels.ts'

Error.stackTraceLimit = 50 // as in the kernel

const PROCESSOR: BackendInfo = { name: 'simd', device: 'the processor' }

const modules = { mixlab, '@tensorflow/tfjs': tf }

const calls: ModellerCalls = {
  async ofCell(request) {
    await tf.setBackend('cpu') // shapes are all that is asked for
    return cells.read(request)
  },
  async ofRun(run) {
    await tf.setBackend('cpu')
    return withRunModel(run, page, modules, diagramOfModel)
  },
  attention: ({ run, weights, example }) =>
    on(PROCESSOR, async () => sentAttention(await attentionOf(run, weights, example, page, modules))),
  async times(of, backend, batch) {
    const measure = async (model: ModelCode) => {
      const diagram = await diagramOfModel(model)
      if (diagram.wrong) throw new MixlabError('option', model.name, 'its code fails, so there is nothing to measure')
      return on(backend, () => measureTimes(model.forward, model.input, diagram, batch, yieldToEvents))
    }
    if ('run' in of) return withRunModel(of.run, page, modules, measure)
    return measure(cells.modelOf(of.study, of.variant))
  },
  stepTimes: (request, backend) => on(backend, () => measureStepTimes(request, yieldToEvents)),
}

/** Does something on a backend. */
async function on<Result>(backend: BackendInfo, body: () => Promise<Result>): Promise<Result> {
  await makeCurrent(backend)
  try {
    return await body()
  } finally {
    await tf.setBackend('cpu')
  }
}

const { remote: page } = connect<Calls<typeof fileCalls>, ModellerCalls>(calls, workerChannel(self))
const cells = cellModels(page, modules)
removeForbiddenGlobals(self)

// What cells throw once they have ended is told where they run.
addEventListener('error', (event) => event.preventDefault())
addEventListener('unhandledrejection', (event) => event.preventDefault())
