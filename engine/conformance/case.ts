import { MixlabError, suggest } from '../errors.ts'
import { sidesOf } from '../nn/layers/patchEmbed.ts'
import { fileShape, toFile } from '../nn/layout.ts'
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

/** The configuration of a case, each value read with the type it must have, or MixlabError `weights` is thrown. */
export interface Config {
  number(key: string, otherwise?: number): number
  numbers(key: string, otherwise?: number[]): number[]
  text(key: string, otherwise?: string): string
  texts(key: string, otherwise?: string[]): string[]
  flag(key: string, otherwise?: boolean): boolean
  /** Height and width; a number is both. */
  sides(key: string): [height: number, width: number]
  /** Throws where the case says something else than what follows from its tensors; it need not say it. */
  agrees(key: string, value: unknown): void
  /** Throws for a key that nothing has read. */
  done(): void
}

/** Keys for people: where a case comes from, what its rows are. */
const NOTES = ['folded_from', 'rows', 'settings']

/** Values of `[batch, c, h, w]` as `[batch, h, w, c]`, or as they are where there is no such shape. */
export function channelsLast({ shape, values }: NamedTensor): { shape: number[]; values: Float32Array } {
  const layout = shape.length === 4 ? { order: [0, 2, 3, 1] } : {}
  return { shape: fileShape(shape, layout), values: toFile(Float32Array.from(values), shape, layout) }
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
  const config = parseConfig(json, name)
  const seen = new Set(NOTES)
  const fail = (key: string, message: string) => new MixlabError('weights', `${name}: config.${key}`, message)
  function read<T>(key: string, otherwise: T | undefined, is: (value: unknown) => value is T, expected: string): T {
    seen.add(key)
    const value = config[key] ?? otherwise
    if (is(value)) return value
    throw fail(key, `${JSON.stringify(value)}, expected ${expected}`)
  }
  const isNumber = (value: unknown): value is number => typeof value === 'number'
  const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isNumber)
  const isSides = (value: unknown): value is number | [number, number] =>
    isNumber(value) || (isNumbers(value) && value.length === 2)
  const isText = (value: unknown): value is string => typeof value === 'string'
  const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
  const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
  return {
    number: (key, otherwise) => read(key, otherwise, isNumber, 'a number'),
    numbers: (key, otherwise) => read(key, otherwise, isNumbers, 'a list of numbers'),
    text: (key, otherwise) => read(key, otherwise, isText, 'a text'),
    texts: (key, otherwise) => read(key, otherwise, isTexts, 'a list of texts'),
    flag: (key, otherwise) => read(key, otherwise, isFlag, 'true or false'),
    sides: (key) => sidesOf(read(key, undefined, isSides, 'a number, or [height, width]')),
    agrees: (key, value) => {
      seen.add(key)
      const said = config[key] ?? value
      const given = isNumber(said) && Array.isArray(value) ? value.map(() => said) : said
      const [own, expected] = [JSON.stringify(given), JSON.stringify(value)]
      if (own !== expected) throw fail(key, `${own}, expected ${expected}`)
    },
    done: () => {
      const unread = Object.keys(config).find((key) => !seen.has(key))
      if (unread) throw fail(unread, `nothing reads it${suggest(unread, [...seen])}`)
    },
  }
}

function parseConfig(json: string, name: string): Record<string, unknown> {
  try {
    const config: unknown = JSON.parse(json)
    if (typeof config === 'object' && config && !Array.isArray(config)) return config as Record<string, unknown>
  } catch {
    // said below
  }
  throw new MixlabError('weights', `${name}: config`, 'expected an object in JSON')
}
