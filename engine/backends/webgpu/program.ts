import type * as tf from '@tensorflow/tfjs-core'
import type { Graph } from '../../compile/graph.ts'
import type { Program } from '../../compile/program.ts'
import type { WebGpuBackend } from './backend.ts'
import type { GpuEncoder } from './gpu.ts'
import { install } from './installed.ts'
import { lowered, planOf } from './plan.ts'

/** Makes a program of a graph: one submission a run, or several where one would take long. Throws what it cannot do. */
export function createProgram(backend: WebGpuBackend, graph: Graph): Program {
  const plan = planOf(lowered(graph), [], backend.card.limits)
  const installed = install(backend, [plan])
  /** The data that each input had when it was last copied. */
  const held = new Map<string, object>()
  return {
    ready: installed.ready,
    run: (inputs, step) => {
      backend.flush() // what the inputs wait for
      const take = (encoder: GpuEncoder) => {
        for (const [name, region] of Object.entries(plan.inputs)) {
          const tensor = inputs[name] as tf.Tensor
          if (held.get(name) === tensor.dataId) continue
          installed.take(encoder, region, tensor)
          held.set(name, tensor.dataId)
        }
      }
      let outputs: tf.NamedTensorMap = {}
      const give = (encoder: GpuEncoder) => {
        const given = Object.entries(plan.outputs).map(([name, output]) => [name, installed.give(encoder, output)])
        outputs = Object.fromEntries(given)
      }
      installed.writeUniforms(step)
      void installed.submit(plan.dispatches.length, take, give)
      return outputs
    },
    dispose: installed.dispose,
  }
}
