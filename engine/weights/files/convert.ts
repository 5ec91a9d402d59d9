import { bytesText, MAX_FILE_MEMORY } from '../../data/inflate.ts'
import type { Fail } from '../../errors.ts'

/** Bytes that the tensors of a small file may take, and how many times those of a large one: they may overlap and share. */
const [MOST_SMALL, MOST_TIMES] = [2 ** 24, 16]

/** How many bytes the tensors of a file of so many bytes may take in memory; more is no model. */
export const mostMemory = (size: number) => Math.min(MAX_FILE_MEMORY, MOST_SMALL + MOST_TIMES * size)

/** Throws what `fail` makes where tensors take more than a file of so many bytes can mean. */
export function checkMemory(bytes: number, size: number, fail: Fail): void {
  const most = mostMemory(size)
  if (bytes > most)
    throw fail(`its tensors take more than ${bytesText(most)}, too much for a file of ${bytesText(size)}`)
}

/** The types of values in files that are read, by their name in safetensors, and the bytes of each. */
export const KINDS = { F32: 4, F16: 2, BF16: 2, F64: 8, I32: 4, I64: 8, I16: 2, I8: 1, U8: 1, BOOL: 1 } as const
export type Kind = keyof typeof KINDS

export const isKind = (type: unknown): type is Kind => typeof type === 'string' && Object.hasOwn(KINDS, type)

/**
 * Little-endian values of a file as float32 or int32. Throws what `fail` makes where bytes and shape do not fit together,
 * before anything is allocated.
 */
export function convert(
  kind: Kind,
  bytes: Uint8Array,
  shape: readonly number[],
  fail: (message: string) => Error,
): Float32Array | Int32Array {
  checkSize(kind, bytes.length, shape, fail)
  const copy = new Uint8Array(bytes).buffer // aligned; slice() of a Node Buffer would not copy
  return READ[kind](copy)
}

/** The same values with the bytes of each in the other order. */
export function swapped(bytes: Uint8Array, width: number): Uint8Array {
  const copy = new Uint8Array(bytes)
  for (let at = 0; at + width <= copy.length; at += width) copy.subarray(at, at + width).reverse()
  return copy
}

/** Throws what `fail` makes unless a tensor of a shape has so many bytes. */
export function checkSize(kind: Kind, bytes: number, shape: readonly number[], fail: (message: string) => Error): void {
  const needed = shape.reduce((product, length) => product * length, 1) * KINDS[kind]
  const some = shape.length > 8 ? `${shape.slice(0, 8)},...` : shape
  if (bytes !== needed) throw fail(`has ${bytes} bytes, shape [${some}] needs ${needed}`)
}

const READ: Record<Kind, (bytes: ArrayBuffer) => Float32Array | Int32Array> = {
  F32: (bytes) => new Float32Array(bytes),
  I32: (bytes) => new Int32Array(bytes),
  F64: (bytes) => Float32Array.from(new Float64Array(bytes)),
  I64: (bytes) => {
    const values = new BigInt64Array(bytes)
    const fit = values.every((value) => value === BigInt.asIntN(32, value))
    return fit ? Int32Array.from(values, Number) : Float32Array.from(values, Number)
  },
  I16: (bytes) => Int32Array.from(new Int16Array(bytes)),
  I8: (bytes) => Int32Array.from(new Int8Array(bytes)),
  U8: (bytes) => Int32Array.from(new Uint8Array(bytes)),
  BOOL: (bytes) => Int32Array.from(new Uint8Array(bytes)),
  F16: (bytes) => Float32Array.from(new Uint16Array(bytes), fromHalf),
  BF16: (bytes) => {
    const words = Uint32Array.from(new Uint16Array(bytes), (half) => half << 16)
    return new Float32Array(words.buffer)
  },
}

/** A number of 16 bits as IEEE 754 has it. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
