import { loadGraphModel } from '@tensorflow/tfjs-converter'
import type { io, NamedTensorMap, Tensor } from '@tensorflow/tfjs-core'
import { MixlabError } from '../../../errors.ts'
import type { Reader, Written } from '../types.ts'
import { WEIGHTS } from './write.ts'

/** Reads a graph model by the reader of TensorFlow.js. Throws MixlabError `weights` for what is none. */
export async function readTfjs(files: Written): Promise<Reader> {
  const weights = files[WEIGHTS]
  const json = JSON.parse(new TextDecoder().decode(files['.json'] as Uint8Array)) as io.ModelJSON
  if (!weights || json.format !== 'graph-model') throw new MixlabError('weights', 'TF.js', 'is no graph model')
  const artifacts: io.ModelArtifacts = {
    modelTopology: json.modelTopology,
    signature: json.signature as object,
    weightSpecs: json.weightsManifest.flatMap((group) => group.weights),
    weightData: new Uint8Array(weights).buffer,
  }
  return async (inputs) => {
    const model = await loadGraphModel({ load: async () => artifacts })
    try {
      const named = Object.entries(inputs).filter(([name]) => model.inputs.some((input) => input.name === name))
      return model.predict(Object.fromEntries(named) as NamedTensorMap) as Tensor
    } finally {
      model.dispose()
    }
  }
}
