import type { DataType, NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core'

/** Shape and type of one result. */
export interface Described {
  shape: number[]
  dtype: DataType
}

/** What an operation gives, without doing it. */
export interface Outline {
  /** A list where the operation gives a list, even of one. */
  output: Described | Described[]
  /** Multiply-adds; 0 for what has none. */
  macs?: number
  /** The result is the first input under another shape or type: no work, no memory. */
  view?: boolean
}

/** Gives the shapes and types of an operation's results, by those of its inputs and by its attributes. */
export type ShapeRule = (inputs: NamedTensorInfoMap, attributes: NamedAttrMap) => Outline

/** Kernel name to its rule. */
export type Rules = Record<string, ShapeRule>

/** One result. */
export const one = (shape: number[], dtype: DataType = 'float32', macs = 0): Outline => ({
  output: { shape, dtype },
  macs,
})

/** The input that comes first, whatever its name. */
export const first = (inputs: NamedTensorInfoMap): TensorInfo => Object.values(inputs)[0] as TensorInfo

/** The input called `name`. */
export const input = (inputs: NamedTensorInfoMap, name: string): TensorInfo => inputs[name] as TensorInfo

/** The attribute called `name`; its type is what the kernel's documentation says. */
export const attribute = <T>(attributes: NamedAttrMap, name: string): T => attributes[name] as T

/** The same rule for several kernels. */
export const family = (names: readonly string[], rule: ShapeRule): Rules =>
  Object.fromEntries(names.map((name) => [name, rule]))
