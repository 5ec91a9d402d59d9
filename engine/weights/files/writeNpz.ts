import { zipSync } from 'fflate'
import type { NamedTensor } from '../safetensors.ts'

/** Tensors as numpy's `savez` writes them, and texts beside them, which `numpy.load` gives as bytes. */
export function writeNpz(tensors: NamedTensor[], texts: Record<string, string> = {}): Uint8Array {
  const arrays = tensors.map((tensor) => [`${tensor.name}.npy`, writeNpy(tensor)])
  const beside = Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)])
  return zipSync(Object.fromEntries([...arrays, ...beside]), { level: 0, mtime: '1980-01-01T00:00:00' })
}

/** A .npy file, format 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. */
export function writeNpy({ shape, values }: Pick<NamedTensor, 'shape' | 'values'>): Uint8Array {
  const type = values instanceof Int32Array ? '<i4' : '<f4'
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${tuple}), }`
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10 // the values begin at a multiple of 64
  const file = new Uint8Array(10 + length + values.byteLength)
  file.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, length & 255, length >> 8])
  file.set(new TextEncoder().encode(`${header.padEnd(length - 1)}\n`), 10)
  file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), 10 + length)
  return file
}
