import { MixlabError, suggest } from '../errors.ts'
import { type PublishedSize, sizes } from '../models/sizes.ts'
import { assemble } from '../nn/frame.ts'
import type { Patch } from '../nn/layers/patchEmbed.ts'
import type { Forward, InputSpec } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import { stepBytes } from './stepBytes.ts'
import { type Trace, traceModel } from './trace.ts'

/** The published size called `name`. Throws for an unknown one. */
export function publishedSize(name: string): PublishedSize {
  const found = Object.hasOwn(sizes, name) ? sizes[name] : undefined
  if (!found) throw new MixlabError('option', 'model', `unknown model '${name}'${suggest(name, Object.keys(sizes))}`)
  return found
}

/**
 * The code of a published size such as `gmlp-s16`, or of the same with other patches, and what it reads. Throws for an
 * unknown name, and for patches where the model has none.
 */
export function modelOfSize(name: string, patch?: Patch): [Forward, InputSpec] {
  const { block, modality, input, outputs } = publishedSize(name)
  if (patch !== undefined && !('patch' in block.options)) {
    throw new MixlabError('option', 'patch', `'${name}' is not made of patches`)
  }
  const size = { ...resolveSize(block, {}, name), ...(patch !== undefined && { patch }) }
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  return [forward, { shape: [1, ...input], dtype: modality === 'text' ? 'int32' : 'float32' }]
}

/** Parameters, multiply-adds and tensors of a published size; throws as `modelOfSize`. */
export async function traceSize(name: string, patch?: Patch): Promise<Trace> {
  return traceModel(...modelOfSize(name, patch))
}

/** Most bytes of a training step of a published size, as `stepBytes`. */
export async function stepBytesOfSize(name: string, batch: number, threads: number, patch?: Patch): Promise<number> {
  return stepBytes(...modelOfSize(name, patch), batch, threads)
}
