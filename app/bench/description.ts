import type { Configuration } from '../../engine/bench/configurations.ts'
import { traceModel } from '../../engine/cost/trace.ts'
import { assemble } from '../../engine/nn/frame.ts'
import { resolveSize } from '../../engine/nn/size.ts'
import type { Modality, Size } from '../../engine/nn/types.ts'

/** A configuration in plain data, all a peer needs to build its model. */
export interface PeerModel {
  name: string
  /** Name of the block. */
  architecture: string
  modality: Modality
  size: Size
  /** Shape of an example; images as height, width, channels. */
  input: readonly number[]
  /** Classes, or size of the vocabulary. */
  outputs: number
  batch: number
  /** Trained values. */
  parameters: number
  /** Multiply-adds of a training step and of a forward pass of the batch. */
  macs: { train: number; forward: number }
}

export async function describePeer(configuration: Configuration): Promise<PeerModel> {
  const { name, block, modality, input, outputs, batch } = configuration
  const size = resolveSize(block, {}, name)
  const dtype = modality === 'text' ? 'int32' : 'float32'
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  const { parameters, macs, trainingMacs } = await traceModel(forward, { shape: [1, ...input], dtype })
  const ofBatch = { train: batch * trainingMacs, forward: batch * macs }
  return { name, architecture: block.blockName, modality, size, input, outputs, batch, parameters, macs: ofBatch }
}
