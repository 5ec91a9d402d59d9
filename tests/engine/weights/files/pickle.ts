import { strToU8, type Zippable, zipSync } from 'fflate'

/** Bytes of a pickle: steps as letters, numbers as bytes, and strings as step X has them. */
export const steps = (...parts: (string | number[] | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Uint8Array.from(part))),
    ),
  )

export const text = (value: string) => steps('X', [value.length, 0, 0, 0], value)
export const name = (value: string) =>
  steps('c', value.slice(0, value.lastIndexOf('.')), '\n', value.slice(value.lastIndexOf('.') + 1), '\n')
export const count = (value: number) => steps('J', new Uint8Array(Int32Array.of(value).buffer))
export const long = (value: bigint) => steps('\x8a', [8], new Uint8Array(BigInt64Array.of(value).buffer))
export const counts = (...values: number[]) => steps('(', ...values.map(count), 't')

/** A tensor of a storage of floats: a persistent id, and what is made of it. */
export function tensor(
  key: string,
  offset: Uint8Array,
  shape: Uint8Array,
  strides: Uint8Array,
  type = 'torch.FloatStorage',
): Uint8Array {
  const storage = steps('(', text('storage'), name(type), text(key), text('cpu'), count(4), 'tQ')
  return steps(
    name('torch._utils._rebuild_tensor_v2'),
    '(',
    storage,
    offset,
    shape,
    strides,
    '\x89',
    name('collections.OrderedDict'),
    ')RtR',
  )
}

/** A dict of these values. */
export const dict = (entries: Record<string, Uint8Array>) =>
  steps('}(', ...Object.entries(entries).flatMap(([key, value]) => [text(key), value]), 'u')

/** A checkpoint of a pickle, with storages by key. */
export function checkpoint(
  value: Uint8Array,
  storages: Record<string, Uint8Array> = {},
  more: Zippable = {},
): Uint8Array {
  const data = Object.entries(storages).map(([key, bytes]) => [`a/data/${key}`, bytes])
  return zipSync(
    { 'a/data.pkl': steps('\x80\x02', value, '.'), ...Object.fromEntries(data), 'a/version': strToU8('3\n'), ...more },
    { level: 0 },
  )
}

export const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer)
