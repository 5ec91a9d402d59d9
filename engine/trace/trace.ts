import * as tf from '@tensorflow/tfjs-core'
import { fileShape } from '../nn/layout.ts'
import type { Forward } from '../nn/model.ts'
import { inPass, type Parameter } from '../nn/scope.ts'
import { tracing } from './backend.ts'

/** What a model is made of, without making it. */
export interface Trace {
  /** Trained values. */
  parameters: number
  /** Multiply-adds of a forward pass for one example. */
  macs: number
  /** Names and shapes as in a weights file. */
  tensors: { name: string; shape: number[] }[]
}

/** Runs a model on shapes alone; `inputShape` has the batch axis. */
export async function traceModel(forward: Forward, inputShape: number[]): Promise<Trace> {
  const parameters = new Map<string, Parameter>()
  let macs = 0
  const observer = (_kernel: string, count: number) => {
    macs += count
  }
  await tracing(observer, () => {
    const pass = { parameters, seed: 0, training: false, step: 0, dropPath: 0 }
    const create = (_name: string, shape: number[]) => tf.variable(tf.fill(shape, 0))
    inPass({ ...pass, create }, () => forward(tf.fill([1, ...inputShape.slice(1)], 0)))
    for (const { variable } of parameters.values()) variable.dispose()
  })
  const all = [...parameters.values()]
  return {
    parameters: all.reduce((sum, { shape }) => sum + tf.util.sizeFromShape(shape), 0),
    macs,
    tensors: all.map(({ name, shape, layout }) => ({ name, shape: fileShape(shape, layout) })),
  }
}
