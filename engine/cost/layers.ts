import { util } from '@tensorflow/tfjs-core'
import type { Parameter } from '../nn/scope.ts'
import type { KernelCall } from '../trace/recorder.ts'

/** What one scope of a model holds and does, with everything inside it. */
export interface Layer {
  /** Full name of the scope, e.g. `blocks.3.mlp_channels.gate`; empty for code of the model outside of all scopes. */
  name: string
  /** How many scopes are around it. */
  depth: number
  /** Trained values. */
  parameters: number
  /** Multiply-adds of a forward pass. */
  macs: number
  /** Shape of what its last operation gives, with the batch axis. */
  outputShape: number[]
}

/**
 * The scopes of a forward pass in the order they were entered, each before those inside it. The layers of depth 0 add
 * up to the model: a parameter outside of all scopes is a layer of its own, and so is work outside of them.
 */
export function layersOf(calls: readonly KernelCall[], parameters: readonly Parameter[]): Layer[] {
  const layers = new Map<string, Layer>()
  for (const { scopes, macs, shapes } of calls) {
    const around = scopes.length > 0 || macs === 0 ? scopes : ['']
    for (const [depth, name] of around.entries()) {
      const layer = layers.get(name) ?? { name, depth, parameters: 0, macs: 0, outputShape: [] }
      layers.set(name, layer)
      layer.macs += macs
      layer.outputShape = shapes[0] as number[]
    }
  }
  for (const { name, shape } of parameters) {
    const size = util.sizeFromShape(shape)
    const around = prefixes(name).flatMap((prefix) => layers.get(prefix) ?? [])
    for (const layer of around) layer.parameters += size
    if (around.length === 0) layers.set(name, { name, depth: 0, parameters: size, macs: 0, outputShape: shape })
  }
  return [...layers.values()]
}

/** `a` and `a.b` of `a.b.c`. */
function prefixes(name: string): string[] {
  return [...name.matchAll(/\./g)].map(({ index }) => name.slice(0, index))
}
