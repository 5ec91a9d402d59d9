import { readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { zipSync } from 'fflate'
import { onnx } from '../../../engine/export/formats/onnx.ts'
import { tfjs } from '../../../engine/export/formats/tfjs.ts'
import { exportGraph } from '../../../engine/export/graph/graph.ts'
import { trainingGraph } from '../../../engine/export/graph/training.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { writeNpy } from '../../../engine/weights/files/writeNpz.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { tinyModel } from '../models/tiny.ts'

/** A small model in each format that is read; the .npz is compressed, as those of others are. */
export async function sampleFiles(): Promise<Record<string, Uint8Array>> {
  if (!tf.getBackend()) await tf.setBackend('cpu')
  const model = tinyModel(gmlp({ depth: 1 }), 'image')
  const safetensors = await writeWeights(model.parameters, { mixlab: '{}' })
  const { tensors, metadata } = readSafetensors(safetensors)
  const input = { shape: [1, 16, 16, 3], dtype: 'float32' as const }
  const graph = () => exportGraph(model, { input }, tensors, 'sample')
  const training = () => trainingGraph(model, { input }, tensors, 'sample')
  const exported = { tensors, metadata, graph, training, demo: async () => ({ player: null, beside: '' }) }
  const [written, json] = [await onnx.write(exported, 'sample'), await tfjs.write(exported, 'sample')]
  model.dispose()
  const arrays = tensors.slice(0, 6).map((tensor) => [`${tensor.name}.npy`, writeNpy(tensor)])
  const torch = (name: string) => new Uint8Array(readFileSync(`tests/golden/torch/${name}`))
  return {
    safetensors,
    npz: zipSync(Object.fromEntries(arrays)),
    onnx: written['.onnx'] as Uint8Array,
    tfjs: json['.json'] as Uint8Array,
    torch: torch('kinds.pt'),
    'torch-legacy': torch('wrapped-legacy.pt'),
    pickle: torch('arrays-4.pkl'),
  }
}
