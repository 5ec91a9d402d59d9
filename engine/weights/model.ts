import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, suggest } from '../errors.ts'
import { fileShape, fromFile, toFile } from '../nn/layout.ts'
import type { Parameter } from '../nn/scope.ts'
import { mixingOf } from './mixing.ts'
import { FORMAT, type NamedTensor, readSafetensors, writeSafetensors } from './safetensors.ts'

/** All parameters as a safetensors file with the names and layouts of the PyTorch reference. */
export async function writeWeights(
  parameters: Parameter[],
  metadata: Record<string, string> = {},
): Promise<Uint8Array> {
  const tensors = parameters.map(async ({ name, shape, layout, variable }): Promise<NamedTensor> => {
    const values = (await variable.data()) as Float32Array
    return { name, shape: fileShape(shape, layout), values: toFile(values, shape, layout) }
  })
  return writeSafetensors(await Promise.all(tensors), { ...metadata, ...mixingOf(parameters), ...FORMAT })
}

/** Sets all parameters from a safetensors file; nothing is changed unless every name and shape fits. */
export function loadWeights(parameters: Parameter[], file: Uint8Array, source = 'weights'): void {
  loadTensors(parameters, readSafetensors(file, source).tensors, source)
}

/** Sets all parameters from tensors in the layouts of files; nothing is changed unless every name and shape fits. */
export function loadTensors(parameters: Parameter[], given: NamedTensor[], source: string): void {
  const tensors = new Map(given.map((tensor) => [tensor.name, tensor]))
  const known = parameters.map(({ name }) => name)
  for (const name of tensors.keys()) {
    if (!known.includes(name)) {
      throw new MixlabError('weights', source, `tensor '${name}' is not in the model${suggest(name, known)}`)
    }
  }
  const matched = parameters.map((parameter) => ({ parameter, tensor: matching(parameter, tensors, source) }))
  for (const { parameter, tensor } of matched) {
    const { shape, layout, variable } = parameter
    tf.tidy(() => variable.assign(tf.tensor(fromFile(Float32Array.from(tensor.values), shape, layout), shape)))
  }
}

/**
 * Sets the parameters that a safetensors file has with the same name and shape, and leaves the others. Returns those that
 * were set. Throws MixlabError `weights` if there is none.
 */
export function loadFitting(parameters: Parameter[], file: Uint8Array, source: string): Parameter[] {
  const given = readSafetensors(file, source).tensors
  const fitting = parameters.filter((parameter) => given.some((tensor) => fits(tensor, parameter)))
  if (fitting.length === 0) throw new MixlabError('weights', source, 'no tensor has name and shape of one of the model')
  const wanted = given.filter((tensor) => fitting.some(({ name }) => name === tensor.name))
  loadTensors(fitting, wanted, source)
  return fitting
}

/** Whether a tensor of a file is this parameter. */
function fits(tensor: NamedTensor, { name, shape, layout }: Parameter): boolean {
  return tensor.name === name && isSameShape(tensor.shape, fileShape(shape, layout))
}

function matching(parameter: Parameter, tensors: Map<string, NamedTensor>, source: string): NamedTensor {
  const { name, shape, layout } = parameter
  const tensor = tensors.get(name)
  if (!tensor) throw new MixlabError('weights', source, `tensor '${name}' is missing`)
  if (!fits(tensor, parameter)) {
    const expected = fileShape(shape, layout)
    throw new MixlabError('weights', source, `tensor '${name}' is [${tensor.shape}], the model has [${expected}]`)
  }
  return tensor
}

/** Whether shapes agree but for axes of length 1, about which repositories differ: [d] or [1, 1, d], [out, in] or [out, in, 1]. */
export function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  const [own, other] = [a, b].map((shape) => shape.filter((length) => length !== 1).join())
  return own === other
}
