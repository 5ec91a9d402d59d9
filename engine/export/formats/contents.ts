import { MixlabError } from '../../errors.ts'
import { checkNames, contentsOf, type OneOrMore } from '../../weights/files/contents.ts'
import { kindOf } from '../../weights/files/kind.ts'
import { type Contents, DESCRIPTION, type NamedTensor } from '../../weights/safetensors.ts'
import { isConstantName } from '../graph/types.ts'
import { decodeOnnx } from './onnx/decode.ts'
import { decodeTfjs } from './tfjs/decode.ts'

/**
 * What is in a file of any format that models are written in, or in any other that is read. Of a graph, its parameters and
 * what it says of itself are taken; the graph is not run. Throws MixlabError `weights`; `source` names the file.
 */
export function contentsOfModel(file: OneOrMore, source: string): Contents {
  const parts = [file].flat()
  const kind = kindOf(parts[0] ?? new Uint8Array())
  if (kind !== 'json' && kind !== 'onnx') return contentsOf(parts, source)
  const { tensors, description } = kind === 'json' ? decodeTfjs(parts, source) : inOnnx(parts[0] as Uint8Array, source)
  checkNames(tensors, source)
  const foreign = 'was not written by Mixlab; of other models it reads the weights: .safetensors, .pt, .npz'
  if (description === null) throw new MixlabError('weights', source, foreign)
  return { tensors: tensors.filter(({ name }) => !isOfGraph(name)), description, left: [] }
}

/** Whether a tensor belongs to the graph rather than to the model: lengths, axes, numbers and tables of its code. */
const isOfGraph = (name: string) => isConstantName(name) || /^(?:ints|float)\//.test(name)

function inOnnx(file: Uint8Array, source: string) {
  const { tensors, metadata } = decodeOnnx(file, source)
  const own = tensors.filter(({ dtype }) => dtype === 'float32' || dtype === 'int32') as NamedTensor[]
  const plain = own.map(({ name, shape, values }) => ({ name, shape, values }))
  return { tensors: plain, description: metadata[DESCRIPTION] ?? null }
}
