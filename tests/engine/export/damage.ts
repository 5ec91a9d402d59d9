import { MixlabError } from '../../../engine/errors.ts'
import { contentsOfModel } from '../../../engine/export/formats/contents.ts'
import { decodeOnnx } from '../../../engine/export/formats/onnx/decode.ts'
import { readOnnx } from '../../../engine/export/formats/onnx/run.ts'
import { integer, type Key, keyOf } from '../../../engine/random.ts'
import { contentsOf } from '../../../engine/weights/files/contents.ts'
import { readNpz } from '../../../engine/weights/files/npz.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'

/** What reads each format; a graph is read up to where it would run. */
export const readers: Record<string, (file: Uint8Array) => unknown> = {
  safetensors: readSafetensors,
  torch: (file) => contentsOf(file, 'torch'),
  'torch-legacy': (file) => contentsOf(file, 'torch'),
  pickle: (file) => contentsOf(file, 'pickle'),
  tfjs: (file) => contentsOfModel([file, new Uint8Array(WEIGHTS)], 'tfjs'),
  npz: (file) => readNpz(file, 'npz'),
  onnx: (file) => [decodeOnnx(file), readOnnx(file)],
}

/** Bytes of the weights beside model.json. */
const WEIGHTS = 2 ** 18

/** What reading a damaged file came to: an error of ours, or a file that can still be read. */
export type Outcome = 'refused' | 'read'

/** Numbers that readers fall over. */
const STRANGE = [0, 1, 0x7f, 0x80, 0xff]

/** A copy of a file with some of its bytes changed, cut, repeated or put elsewhere; `number` decides all of it. */
export function damaged(file: Uint8Array, number: number): Uint8Array {
  const key = keyOf(number, 'damage')
  let bytes = Uint8Array.from(file)
  const times = 1 + integer(key, 0, 4)
  for (let i = 0; i < times; i++) bytes = damagedOnce(bytes, key, 1 + 8 * i)
  return bytes
}

function damagedOnce(bytes: Uint8Array<ArrayBuffer>, key: Key, at: number): Uint8Array<ArrayBuffer> {
  const draw = (below: number) => integer(key, at++, Math.max(1, below))
  const kind = draw(6)
  // the beginning and the end, where sizes stand, are met more often
  const places = [
    draw(bytes.length),
    draw(Math.min(64, bytes.length)),
    bytes.length - 1 - draw(Math.min(64, bytes.length)),
  ]
  const place = Math.max(0, places[draw(3)] as number)
  const length = draw(16)
  if (kind === 0) return bytes.slice(0, place)
  if (kind === 1) return Uint8Array.of(...bytes.subarray(0, place), ...bytes.subarray(place + length))
  if (kind === 2) return Uint8Array.of(...bytes.subarray(0, place + length), ...bytes.subarray(place))
  const value = kind === 3 ? (STRANGE[draw(STRANGE.length)] as number) : draw(256)
  if (kind === 4) bytes.fill(value, place, place + length)
  else bytes[place] = value
  return bytes
}

/** Reads a damaged file. Throws what is no error of ours, in the words of a person. */
export function outcomeOf(format: string, file: Uint8Array): Outcome {
  try {
    readers[format]?.(file)
    return 'read'
  } catch (error) {
    if (error instanceof MixlabError && error.message.length < 400) return 'refused'
    throw error
  }
}
