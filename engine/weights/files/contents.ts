import { MixlabError, quoted } from '../../errors.ts'
import { type Contents, DESCRIPTION, readSafetensors } from '../safetensors.ts'
import { openNpz } from './npz.ts'
import { isTorchPickle, readTorchPickle, readTorchZip } from './torch/read.ts'
import { isZip } from './zip.ts'

/** A file, or the parts of one that is in several. */
export type OneOrMore = Uint8Array | readonly Uint8Array[]

/** Most things left out that an error names. */
const NAMED = 3

/** What a file holds whose name is no safetensors file's, and how one begins after the length of its header. */
const OTHERS = /\.(?:npz|pt|pth|bin|ckpt|onnx)$/i
const BRACE = 0x7b
const UNKNOWN = 'is damaged, or none of the files that are read: .safetensors, .npz, .onnx, a checkpoint of PyTorch'

/** Reads a file of weights by what it begins with, in parts or whole. Throws MixlabError `weights`; `source` names it. */
export function contentsOf(file: OneOrMore, source: string): Contents {
  const parts = [file].flat().map((part) => partOf(part, source))
  const tensors = parts.flatMap((part) => part.tensors)
  const seen = new Set<string>()
  const twice = tensors.find(({ name }) => seen.size === seen.add(name).size)
  if (twice) throw new MixlabError('weights', source, `has ${quoted(twice.name)} in two of its files`)
  const description = parts.find((part) => part.description !== null)?.description ?? null
  return { tensors, description, left: parts.flatMap(({ left }) => left) }
}

function partOf(file: Uint8Array, source: string): Contents {
  if (isTorchPickle(file)) return readTorchPickle(file, source)
  if (isZip(file)) return readTorchZip(file, source) ?? openNpz(file, source)
  if (OTHERS.test(source) && file[8] !== BRACE) throw new MixlabError('weights', source, UNKNOWN)
  const left: string[] = []
  const { tensors, metadata } = readSafetensors(file, source, (name, type) => {
    left.push(`tensor ${quoted(name)} of type ${quoted(type)} is not read`)
  })
  return { tensors, description: metadata[DESCRIPTION] ?? null, left }
}

/** An error of a file that does not fit, with what of it was not read, which may be why. */
export function withLeft(error: unknown, left: readonly string[]): unknown {
  if (!(error instanceof MixlabError) || error.code !== 'weights' || left.length === 0) return error
  const message = error.message.slice(error.path === '' ? 0 : error.path.length + 2)
  return new MixlabError('weights', error.path, [message, ...left.slice(0, NAMED)].join('; '))
}
