import { MixlabError, suggest } from '../errors.ts'
import { type PublishedSize, sizes } from '../models/sizes.ts'
import { assemble } from '../nn/frame.ts'
import { resolveSize } from '../nn/size.ts'
import { type Trace, traceModel } from './trace.ts'

/** The published size called `name`. Throws for an unknown one. */
export function publishedSize(name: string): PublishedSize {
  const found = Object.hasOwn(sizes, name) ? sizes[name] : undefined
  if (!found) throw new MixlabError('option', 'model', `unknown model '${name}'${suggest(name, Object.keys(sizes))}`)
  return found
}

/** Parameters, multiply-adds and tensors of a published size such as `gmlp-s16`. Throws for an unknown name. */
export async function traceSize(name: string): Promise<Trace> {
  const { block, modality, input, outputs } = publishedSize(name)
  const forward = assemble(block, resolveSize(block, {}, name), modality, { inputs: outputs, outputs })
  return traceModel(forward, { shape: [1, ...input], dtype: modality === 'text' ? 'int32' : 'float32' })
}
