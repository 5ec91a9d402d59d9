import { MixlabError } from '../../errors.ts'
import { contentsOf, type OneOrMore } from '../../weights/files/contents.ts'
import { type Contents, DESCRIPTION, type NamedTensor } from '../../weights/safetensors.ts'
import { isConstantName } from '../graph/types.ts'
import { decodeOnnx } from './onnx/decode.ts'
import { decodeTfjs } from './tfjs/decode.ts'

const BRACE = 0x7b
/** An ONNX file begins with the version of its format. */
const IR_VERSION = 0x08

/**
 * What is in a file of any format that models are written in, or in any other that is read. Of a graph, its parameters and
 * what it says of itself are taken; the graph is not run. Throws MixlabError `weights`; `source` names the file.
 */
export function contentsOfModel(file: OneOrMore, source: string): Contents {
  const parts = [file].flat()
  const first = parts[0]?.[0]
  const isSafetensors = parts[0]?.[8] === BRACE && first !== BRACE
  if (first !== BRACE && (first !== IR_VERSION || isSafetensors)) return contentsOf(parts, source)
  const { tensors, description } = first === BRACE ? decodeTfjs(parts, source) : inOnnx(parts[0] as Uint8Array, source)
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
