import { joined } from '../../../data/joined.ts'
import { MixlabError, quoted } from '../../../errors.ts'
import { convert } from '../../../weights/files/convert.ts'
import type { NamedTensor } from '../../../weights/safetensors.ts'

const TYPES = { float32: ['F32', 4], int32: ['I32', 4], bool: ['BOOL', 1] } as const

/** What is read of model.json; nothing says that it is so. */
interface ModelJson {
  userDefinedMetadata?: { mixlab?: unknown }
  weightsManifest: { weights: { name: string; shape: number[]; dtype: keyof typeof TYPES }[] }[]
}

/**
 * The tensors of a graph model of TensorFlow.js, and what it says of itself, as JSON; `parts` are model.json and the files
 * that it lists, in their order. Throws MixlabError `weights`; `source` names it.
 */
export function decodeTfjs([json = new Uint8Array(), ...parts]: readonly Uint8Array[], source: string) {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const data = joined(parts)
  let at = 0
  const tensorOf = ({ name, shape, dtype }: ModelJson['weightsManifest'][number]['weights'][number]): NamedTensor => {
    const [kind, width] = TYPES[dtype]
    const begin = at
    at += shape.reduce((product, length) => product * length, width)
    const wrong = (what: string) => fail(`tensor ${quoted(name)} ${what}`)
    return { name, shape, values: convert(kind, data.subarray(begin, at), shape, wrong) }
  }
  try {
    const { userDefinedMetadata, weightsManifest }: ModelJson = JSON.parse(new TextDecoder().decode(json))
    const tensors = weightsManifest.flatMap(({ weights }) => weights).map(tensorOf)
    return { tensors, description: JSON.stringify(userDefinedMetadata?.mixlab) ?? null }
  } catch (error) {
    throw error instanceof MixlabError ? error : fail('is no graph model of TensorFlow.js, or damaged')
  }
}
