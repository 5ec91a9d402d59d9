import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../nn/scope.ts'
import type { TrainEvent } from '../records/events.ts'
import { type Histogram, histogramOf } from '../records/histogram.ts'

/** Records histograms of weights and gradients at the steps that the recipe asks for. */
export interface HistogramRecorder {
  /** Reads the values of the parameters as they are before a step, to see what it changes of them. */
  holdWeights(): Promise<void>
  /** Takes over the gradients of a step, by parameter name, to be read later in it. */
  holdGradients(gradients: tf.NamedTensorMap): void
  /** Reads the parameters and the gradients held, and disposes of these. */
  readHistograms(step: number): Promise<TrainEvent>
  dispose(): void
}

/** Histograms of some parameters; until `take` or `dispose`, it owns the gradients that it holds. */
export function histogramRecorder(trained: Parameter[]): HistogramRecorder {
  let held: tf.NamedTensorMap = {}
  let before: Float32Array[] = []
  const dispose = () => {
    tf.dispose(held)
    held = {}
  }
  return {
    holdWeights: async () => {
      // no backend writes to what it gave
      before = await Promise.all(trained.map(({ variable }) => variable.data<'float32'>()))
    },
    holdGradients: (gradients) => {
      held = gradients
    },
    readHistograms: async (step) => {
      const weights = trained.map(async ({ name, variable }, i) => {
        const values = await variable.data<'float32'>()
        const old = before[i]
        return [name, { ...histogramOf(values), ...(old && { update: distance(old, values) }) }] as const
      })
      const [ofWeights, ofGradients] = await Promise.all([Promise.all(weights), spreads(held)])
      before = []
      dispose()
      return { type: 'histograms', step, weights: Object.fromEntries(ofWeights), gradients: ofGradients }
    },
    dispose,
  }
}

/** The Euclidean norm of the difference. */
function distance(a: Float32Array, b: Float32Array): number {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += ((b[i] as number) - (a[i] as number)) ** 2
  return Math.sqrt(squares)
}

async function spreads(tensors: tf.NamedTensorMap): Promise<Record<string, Histogram>> {
  const read = Object.entries(tensors).map(async ([name, tensor]) => [name, histogramOf(await tensor.data())])
  return Object.fromEntries(await Promise.all(read))
}
