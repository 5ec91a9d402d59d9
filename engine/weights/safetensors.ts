import { joined } from '../data/joined.ts'
import { type Fail, MixlabError, quoted } from '../errors.ts'
import { checkSize, convert, isKind, KINDS, type Kind } from './files/convert.ts'
import { headerLength, MAX_HEADER } from './files/kind.ts'

/** A tensor of a file. */
export interface NamedTensor {
  name: string
  shape: number[]
  values: Float32Array | Int32Array
  /** Of a file with a prefix: whether its name has none, as that of a head may, or of something else than the model. */
  outside?: true
}

/** What is in a file of weights, with the names that it has there. */
export interface Contents {
  tensors: NamedTensor[]
  /** What an exported model says of itself, as JSON; null where it says nothing. */
  description: string | null
  /** What else is there and was not read, in words. */
  left: string[]
  /** What stood in front of all names of a checkpoint: the dict that its model is in. */
  front?: string
}

/** A safetensors file: 8-byte little-endian header length, JSON header, raw little-endian tensors. */
export function writeSafetensors(tensors: NamedTensor[], metadata: Record<string, string> = {}): Uint8Array {
  const header: Record<string, unknown> = Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {}
  let offset = 0
  for (const { name, shape, values } of tensors) {
    const begin = offset
    offset += values.byteLength
    header[name] = { dtype: values instanceof Int32Array ? 'I32' : 'F32', shape, data_offsets: [begin, offset] }
  }
  const json = new TextEncoder().encode(JSON.stringify(header))
  const padding = new Uint8Array(-json.length & 7).fill(0x20) // tensors start on a multiple of 8
  const length = BigUint64Array.of(BigInt(json.length + padding.length))
  return joined([length, json, padding, ...tensors.map(({ values }) => values)])
}

export interface SafetensorsFile {
  tensors: NamedTensor[]
  metadata: Record<string, string>
}

/**
 * Reads a safetensors file; its numbers become float32 or int32. Tensors of a type that is not read are an error, or are
 * left out and passed to `left`. Throws MixlabError `weights` naming what is wrong; `source` names the file.
 */
export function readSafetensors(
  file: Uint8Array,
  source = 'weights',
  left?: (name: string, type: string) => void,
): SafetensorsFile {
  const fail = (message: string) => new MixlabError('weights', source, message)
  const { metadata, entries, data } = opened(file, MAX_HEADER, fail)
  let sum = 0
  const tensors = Object.entries(entries).flatMap(([name, entry]) => {
    const { dtype } = (entry ?? {}) as { dtype?: unknown }
    if (left && typeof dtype === 'string' && !isKind(dtype)) {
      left(name, dtype)
      return []
    }
    const tensor = readTensor(name, entry, data, fail)
    sum += tensor.values.length * KINDS[(entry as { dtype: Kind }).dtype]
    if (sum > data.length) throw fail(`tensor ${quoted(name)} shares its bytes with another one`)
    return [tensor]
  })
  return { tensors, metadata: textsOf(metadata) }
}

/** Metadata of weights for PyTorch, as Hugging Face's readers ask for it. */
export const FORMAT = { format: 'pt' }

/** Metadata of weights: the matrices over tokens by name, each with its grid of patches; see mixing.ts. */
export const MIXING = 'token_mixing'

/** Metadata of an exported model: what it is, as JSON; see export/description.ts. */
export const DESCRIPTION = 'mixlab'

/** What the header of a file says, which has so many bytes `most`, and the bytes of the tensors behind it. */
function opened(file: Uint8Array, most: number, fail: Fail) {
  if (file.length < 8) throw fail(`${file.length} bytes, too short for a safetensors header`)
  const start = 8 + headerLength(file)
  if (start - 8 > most || start > file.length) {
    throw fail(`header of ${start - 8} bytes in a file of ${file.length}; not a safetensors file, or truncated`)
  }
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, start)))
  } catch {
    throw fail('the header is no JSON; not a safetensors file')
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) throw fail('the header names no tensors')
  const { __metadata__: metadata, ...entries } = header as Record<string, unknown>
  return { metadata, entries, data: file.subarray(start) }
}

/** The texts of a header; what is none is left out. */
function textsOf(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(Object.entries(given).filter(([, text]) => typeof text === 'string'))
}

/** What a header says of a tensor, its place as bytes of the data. */
function describe(name: string, entry: unknown, fail: Fail): { kind: Kind; shape: number[]; range: [number, number] } {
  const { dtype, shape, data_offsets } = (entry ?? {}) as { dtype?: unknown; shape?: unknown; data_offsets?: unknown }
  if (!isCounts(shape) || !isCounts(data_offsets) || data_offsets.length !== 2) {
    throw fail(`tensor ${quoted(name)} has no valid shape and offsets`)
  }
  if (!isKind(dtype)) {
    throw fail(`tensor ${quoted(name)} is ${quoted(String(dtype))}, expected one of ${Object.keys(KINDS).join(', ')}`)
  }
  return { kind: dtype, shape, range: data_offsets as [number, number] }
}

function readTensor(name: string, entry: unknown, data: Uint8Array, fail: Fail): NamedTensor {
  const { kind, shape, range } = describe(name, entry, fail)
  const [begin, end] = range
  if (end > data.length) throw fail(`truncated: tensor ${quoted(name)} ends at byte ${end}, the data at ${data.length}`)
  const bytes = data.subarray(begin, Math.max(begin, end))
  return { name, shape, values: convert(kind, bytes, shape, (message) => fail(`tensor ${quoted(name)} ${message}`)) }
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((count) => Number.isInteger(count) && count >= 0)
}

/** Longest header of a file that training makes, in bytes: some 40,000 tensors. */
const MAX_STATE_HEADER = 2 ** 22

/**
 * Throws MixlabError `weights` unless a file is safetensors as \`writeSafetensors\` makes them: a header of bounded length
 * whose tensors lie one after the other and fill the file. Reads no tensor.
 */
export function checkSafetensors(file: Uint8Array, source: string): void {
  const fail = (message: string) => new MixlabError('weights', source, message)
  const { entries, data } = opened(file, MAX_STATE_HEADER, fail)
  let end = 0
  for (const [name, entry] of Object.entries(entries)) {
    const { kind, shape, range } = describe(name, entry, fail)
    checkSize(kind, range[1] - range[0], shape, (message) => fail(`tensor ${quoted(name)} ${message}`))
    if (range[0] !== end) throw fail(`tensor ${quoted(name)} begins at byte ${range[0]}, expected ${end}`)
    end = range[1]
  }
  if (end !== data.length) throw fail(`its tensors end at byte ${end}, the data at ${data.length}`)
}
