import * as tf from '@tensorflow/tfjs-core'
import type { Graph } from './graph.ts'

/** A graph that can be run again and again. */
export interface Program {
  /** The outputs for these inputs; `step` is for values that are drawn anew. The caller disposes them. */
  run(inputs: tf.NamedTensorMap, step: number): tf.NamedTensorMap
  dispose(): void
}

/** What a backend has that runs whole graphs. */
export interface Programs {
  /** A program of a graph whose inputs have `batch` examples along their first axes. */
  createProgram(graph: Graph, batch: number): Program
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
