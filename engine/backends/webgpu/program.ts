import type * as tf from '@tensorflow/tfjs-core'
import type { Graph } from '../../compile/graph.ts'
import type { Program } from '../../compile/program.ts'
import type { WebGpuBackend } from './backend.ts'
import { install } from './installed.ts'
import { planOf } from './plan.ts'

/** Makes a program of a graph: one command buffer, one pass, one submission a run. Throws what it cannot do. */
export function createProgram(backend: WebGpuBackend, graph: Graph): Program {
  const { card } = backend
  const plan = planOf(graph)
  const installed = install(backend, plan)
  /** The data that each input had when it was last copied. */
  const held = new Map<string, object>()
  return {
    ready: installed.ready,
    run: (inputs, step) => {
      backend.flush() // what the inputs wait for
      const encoder = card.createCommandEncoder()
      for (const [name, region] of Object.entries(plan.inputs)) {
        const tensor = inputs[name] as tf.Tensor
        if (held.get(name) === tensor.dataId) continue
        installed.take(encoder, region, tensor)
        held.set(name, tensor.dataId)
      }
      installed.tell(step)
      installed.encode(encoder)
      const outputs = Object.entries(plan.outputs).map(([name, output]) => [name, installed.give(encoder, output)])
      card.queue.submit([encoder.finish()])
      return Object.fromEntries(outputs)
    },
    dispose: installed.dispose,
  }
}
