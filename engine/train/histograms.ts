import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../nn/scope.ts'
import type { TrainEvent } from '../records/events.ts'
import { type Histogram, histogramOf } from '../records/histogram.ts'

/** Records histograms of weights and gradients at the steps that the recipe asks for. */
export interface HistogramRecorder {
  /** Takes over the gradients of a step, by parameter name, to be read later in it. */
  holdGradients(gradients: tf.NamedTensorMap): void
  /** Reads the parameters and the gradients held, and disposes of these. */
  readHistograms(step: number): Promise<TrainEvent>
  dispose(): void
}

/** Histograms of some parameters; until `take` or `dispose`, it owns the gradients that it holds. */
export function histogramRecorder(trained: Parameter[]): HistogramRecorder {
  let held: tf.NamedTensorMap = {}
  const dispose = () => {
    tf.dispose(held)
    held = {}
  }
  return {
    holdGradients: (gradients) => {
      held = gradients
    },
    readHistograms: async (step) => {
      const weights = Object.fromEntries(trained.map(({ name, variable }) => [name, variable]))
      const [ofWeights, ofGradients] = await Promise.all([spreads(weights), spreads(held)])
      dispose()
      return { type: 'histograms', step, weights: ofWeights, gradients: ofGradients }
    },
    dispose,
  }
}

async function spreads(tensors: tf.NamedTensorMap): Promise<Record<string, Histogram>> {
  const read = Object.entries(tensors).map(async ([name, tensor]) => [name, histogramOf(await tensor.data())])
  return Object.fromEntries(await Promise.all(read))
}
