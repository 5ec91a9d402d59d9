import { MixlabError } from '../errors.ts'
import { type NamedTensor, readSafetensors } from '../weights/safetensors.ts'

/** A reference case: what an implementation elsewhere computed, and from what. */
export interface Case {
  name: string
  /** `model`, `optimizer` or `op`. */
  kind: string
  metadata: Record<string, string>
  config: Config
  has(tensor: string): boolean
  /** Throws MixlabError `weights` for a tensor that is not there. */
  tensor(name: string): NamedTensor
  /** Tensors whose name starts with `prefix`, without it. */
  below(prefix: string): Map<string, NamedTensor>
}

/** The configuration of a case, each value read with the type it must have. */
export interface Config {
  number(key: string, otherwise?: number): number
  numbers(key: string, otherwise?: number[]): number[]
  text(key: string, otherwise?: string): string
  texts(key: string, otherwise?: string[]): string[]
  flag(key: string, otherwise?: boolean): boolean
}

/** Reads a case from the bytes of a safetensors file; `name` names it in errors. */
export function readCase(file: Uint8Array, name: string): Case {
  const { tensors, metadata } = readSafetensors(file, name)
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  if (!metadata.kind) throw new MixlabError('weights', name, "no reference case: the metadata have no 'kind'")
  return {
    name,
    kind: metadata.kind,
    metadata,
    config: readConfig(metadata.config ?? '{}', name),
    has: (tensor) => byName.has(tensor),
    tensor: (tensor) => {
      const found = byName.get(tensor)
      if (!found) throw new MixlabError('weights', name, `has no tensor '${tensor}'`)
      return found
    },
    below: (prefix) => {
      const found = tensors.filter((tensor) => tensor.name.startsWith(prefix))
      return new Map(found.map((tensor) => [tensor.name.slice(prefix.length), tensor]))
    },
  }
}

function readConfig(json: string, name: string): Config {
  const config = JSON.parse(json) as Record<string, unknown>
  function read<T>(key: string, otherwise: T | undefined, is: (value: unknown) => value is T, expected: string): T {
    const value = config[key] ?? otherwise
    if (is(value)) return value
    throw new MixlabError('weights', `${name}: config.${key}`, `${JSON.stringify(value)}, expected ${expected}`)
  }
  const isNumber = (value: unknown): value is number => typeof value === 'number'
  const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isNumber)
  const isText = (value: unknown): value is string => typeof value === 'string'
  const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
  const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
  return {
    number: (key, otherwise) => read(key, otherwise, isNumber, 'a number'),
    numbers: (key, otherwise) => read(key, otherwise, isNumbers, 'a list of numbers'),
    text: (key, otherwise) => read(key, otherwise, isText, 'a text'),
    texts: (key, otherwise) => read(key, otherwise, isTexts, 'a list of texts'),
    flag: (key, otherwise) => read(key, otherwise, isFlag, 'true or false'),
  }
}
