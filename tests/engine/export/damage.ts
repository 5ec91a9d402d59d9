import { contentsOfModel } from '../../../engine/export/formats/contents.ts'
import { decodeOnnx } from '../../../engine/export/formats/onnx/decode.ts'
import { readOnnx } from '../../../engine/export/formats/onnx/run.ts'
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
