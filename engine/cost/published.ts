import { MixlabError, suggest } from '../errors.ts'
import { type PublishedSize, sizes } from '../models/sizes.ts'
import { assemble } from '../nn/frame.ts'
import type { Patch } from '../nn/layers/patchEmbed.ts'
import { resolveSize } from '../nn/size.ts'
import { type Trace, traceModel } from './trace.ts'

/** The published size called `name`. Throws for an unknown one. */
export function publishedSize(name: string): PublishedSize {
  const found = Object.hasOwn(sizes, name) ? sizes[name] : undefined
  if (!found) throw new MixlabError('option', 'model', `unknown model '${name}'${suggest(name, Object.keys(sizes))}`)
  return found
}

/**
 * Parameters, multiply-adds and tensors of a published size such as `gmlp-s16`, or of the same with other patches. Throws
 * for an unknown name, and for patches where the model has none.
 */
export async function traceSize(name: string, patch?: Patch): Promise<Trace> {
  const { block, modality, input, outputs } = publishedSize(name)
  if (patch !== undefined && !('patch' in block.options)) {
    throw new MixlabError('option', 'patch', `'${name}' is not made of patches`)
  }
  const size = { ...resolveSize(block, {}, name), ...(patch !== undefined && { patch }) }
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  return traceModel(forward, { shape: [1, ...input], dtype: modality === 'text' ? 'int32' : 'float32' })
}
