import * as tf from '@tensorflow/tfjs'
import { compile } from '../../engine/compile/compile.ts'
import { hasPrograms } from '../../engine/compile/program.ts'
import type { Code } from '../../engine/compile/record.ts'

export type Values = Record<string, Float32Array>

/** Reads tensors, and disposes them. */
export async function read(tensors: tf.NamedTensorMap): Promise<Values> {
  const found = Object.entries(tensors).map(async ([name, tensor]) => {
    const values = Float32Array.from(await tensor.data())
    tensor.dispose()
    return [name, values] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

/**
 * What differs by more than `limit` times the largest value of its tensor or, where that is small, a fiftieth of that of
 * all tensors, or `floor`.
 */
export function differing(own: Values, wanted: Values, limit: number, floor = 0): string[] {
  const largest = (values: Float32Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const least = Math.max(floor, 0.02 * Math.max(...Object.values(wanted).map(largest)))
  return Object.entries(wanted).flatMap(([name, values]) => {
    const scale = Math.max(largest(values), least)
    const at = values.findIndex((value, i) => !(Math.abs(value - (own[name]?.[i] ?? Number.NaN)) <= limit * scale))
    return at < 0 ? [] : [`FAILED: element ${at} of ${name} is ${own[name]?.[at]}, not ${values[at]}`]
  })
}

/** What has other bits. */
export function otherBits(own: Values, wanted: Values): string[] {
  return Object.entries(wanted).flatMap(([name, values]) => {
    const same = own[name]?.every((value, i) => Object.is(value, values[i]))
    return same ? [] : [`FAILED: ${name} has other bits the second time`]
  })
}

/** What code gives for some inputs, which are disposed, as a program on the backend that is current; or why it is none. */
export async function programmed(
  inputs: tf.NamedTensorMap,
  batch: number,
  code: Code,
  step = 0,
): Promise<Values | Error> {
  const own = tf.backend()
  if (!hasPrograms(own)) throw new Error(`${tf.getBackend()} has no programs`)
  const program = await compile(own, inputs, batch, code)
  if (program instanceof Error) return program
  const values = await read(program.run(inputs, step))
  program.dispose()
  tf.dispose(inputs)
  return values
}

/** The same; throws where it is none. */
export async function valuesAsProgram(...given: Parameters<typeof programmed>): Promise<Values> {
  const values = await programmed(...given)
  if (values instanceof Error) throw values
  return values
}

/** Copies of the weights of a model. */
export const weightsOf = ({ parameters }: { parameters: { name: string; variable: tf.Tensor }[] }): Promise<Values> =>
  read(Object.fromEntries(parameters.map(({ name, variable }) => [name, tf.clone(variable)])))
