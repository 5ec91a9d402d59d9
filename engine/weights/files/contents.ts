import { MAX_NAME_LENGTH } from '../../call.ts'
import { MixlabError, quoted } from '../../errors.ts'
import { type Contents, DESCRIPTION, readSafetensors } from '../safetensors.ts'
import { kindOf, unknownText } from './kind.ts'
import { bounded, type Unread, unreadText } from './left.ts'
import { headerOf, openNpz, typeText } from './npz.ts'
import { readTorchPickle, readTorchZip } from './torch/read.ts'

/** A file, or the parts of one that is in several. */
export type OneOrMore = Uint8Array | readonly Uint8Array[]

/**
 * Reads a file of weights, in parts or whole, by its bytes alone. Throws MixlabError `weights`; `source` names it. Whole
 * models, as ONNX and model.json, are read by export/formats/contents.ts.
 */
export function contentsOf(file: OneOrMore, source: string): Contents {
  const files = [file].flat()
  const parts = files.map((part, i) =>
    partOf(part, files.length > 1 ? `${source}, part ${i + 1} of ${files.length}` : source),
  )
  const [only] = parts
  const tensors = parts.flatMap((part) => part.tensors)
  checkNames(tensors, source)
  if (only && parts.length === 1) return only
  const seen = new Set<string>()
  const twice = tensors.find(({ name }) => seen.size === seen.add(name).size)
  if (twice) throw new MixlabError('weights', source, `has ${quoted(twice.name)} in two of its files`)
  const description = parts.find((part) => part.description !== null)?.description ?? null
  return { tensors, description, left: bounded(parts.flatMap(({ left }) => left)) }
}

/** Throws MixlabError `weights` for a tensor whose name is too long. */
export function checkNames(tensors: readonly { name: string }[], source: string): void {
  const long = tensors.find(({ name }) => name.length > MAX_NAME_LENGTH)
  if (!long) return
  const what = `${quoted(long.name)} has a name of ${long.name.length} characters, expected at most ${MAX_NAME_LENGTH}`
  throw new MixlabError('weights', source, what)
}

function partOf(file: Uint8Array, source: string): Contents {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const kind = kindOf(file)
  if (kind === 'pickle') return readTorchPickle(file, source)
  if (kind === 'zip') return readTorchZip(file, source) ?? openNpz(file, source)
  if (kind === 'safetensors') return safetensorsIn(file, source)
  if (kind === 'npy') {
    const { type, shape } = headerOf(file, fail)
    throw fail(`is one array of numpy without a name, ${typeText(type)} [${shape}]; save them by name, np.savez`)
  }
  const graph = { onnx: 'an ONNX model', json: 'a graph model of TensorFlow.js' }
  if (kind !== null) throw fail(`is ${graph[kind]}, from which no study starts; export its run as safetensors`)
  throw fail(unknownText(file))
}

function safetensorsIn(file: Uint8Array, source: string): Contents {
  const unread: Unread[] = []
  const { tensors, metadata } = readSafetensors(file, source, (name, type) => unread.push([name, type]))
  return { tensors, description: metadata[DESCRIPTION] ?? null, left: unreadText(unread) }
}
