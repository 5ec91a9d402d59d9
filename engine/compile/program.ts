import * as tf from '@tensorflow/tfjs-core'
import type { Graph } from './graph.ts'
import type { CreateTraining } from './training.ts'

/** A graph that can be run again and again. */
export interface Program {
  /** The outputs for these inputs; `step` is for values that are drawn anew. The caller disposes them. */
  run(inputs: tf.NamedTensorMap, step: number): tf.NamedTensorMap
  /** Rejects where the backend cannot run it after all. */
  ready?(): Promise<void>
  dispose(): void
}

/** What a backend has that runs whole graphs. */
export interface Programs {
  /** Whether operations are done once they were called, so that they can be timed and their values read. */
  readonly isImmediate: boolean
  /** A program of a graph whose inputs have `batch` examples along their first axes. Throws what it cannot do. */
  createProgram(graph: Graph, batch: number): Program
  /** Of a backend that can keep all of training to itself. */
  createTraining?: CreateTraining
  /** Gives memory back that was hardly needed since the last call; not while there are programs. */
  compact(): Promise<void>
}

/** Whether a backend has programs. */
export function hasPrograms(backend: tf.KernelBackend): backend is tf.KernelBackend & Programs {
  return 'createProgram' in backend
}

/** To be called between runs: the current backend gives memory back that it hardly needed since the last call. */
export async function compact(): Promise<void> {
  const backend = tf.engine().backendName ? tf.backend() : null
  if (backend && hasPrograms(backend)) await backend.compact()
}
