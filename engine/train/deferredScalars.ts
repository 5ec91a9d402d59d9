import * as tf from '@tensorflow/tfjs-core'

/** The value of a metric after a step. */
export interface Reading {
  step: number
  name: string
  value: number
}

/** Scalars that stay on the device until they are read, all together. */
export interface DeferredScalars {
  /** Keeps the scalars of a step, by metric name, beyond the `tf.tidy` around it. */
  add(step: number, scalars: Record<string, tf.Scalar>): void
  /** Reads and disposes of all that was added, in that order. */
  readAll(): Promise<Reading[]>
  dispose(): void
}

export function deferredScalars(): DeferredScalars {
  const kept: { step: number; name: string; scalar: tf.Scalar }[] = []
  const dispose = () => tf.dispose(kept.splice(0).map(({ scalar }) => scalar))
  return {
    add: (step, scalars) => {
      for (const [name, scalar] of Object.entries(scalars)) kept.push({ step, name, scalar: tf.keep(scalar) })
    },
    readAll: async () => {
      if (kept.length === 0) return []
      const stacked = tf.stack(kept.map(({ scalar }) => scalar))
      const places = kept.map(({ step, name }) => ({ step, name }))
      dispose()
      const values = await stacked.data()
      stacked.dispose()
      return places.map((place, i) => ({ ...place, value: values[i] as number }))
    },
    dispose,
  }
}
