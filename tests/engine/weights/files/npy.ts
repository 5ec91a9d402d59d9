import { strToU8, zipSync } from 'fflate'
import type { NamedTensor } from '../../../../engine/weights/safetensors.ts'

/** An array as numpy saves it. */
export function npy(type: string, shape: readonly number[], bytes: Uint8Array, fortran = false): Uint8Array {
  const axes = `${shape.join(', ')}${shape.length === 1 ? ',' : ''}`
  const text = `{'descr': '${type}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${axes}), }`
  const header = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`
  const length = Uint8Array.of(header.length & 255, header.length >> 8)
  return Uint8Array.of(0x93, ...strToU8('NUMPY'), 1, 0, ...length, ...strToU8(header), ...bytes)
}

/** An .npz file of float32 arrays. */
export function npz(tensors: readonly NamedTensor[]): Uint8Array {
  const entries = tensors.map(({ name, shape, values }) => {
    return [`${name}.npy`, npy('<f4', shape, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))]
  })
  return zipSync(Object.fromEntries(entries))
}
