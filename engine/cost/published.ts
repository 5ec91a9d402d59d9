import { MixlabError, suggest } from '../errors.ts'
import { type PublishedSize, sizes } from '../models/sizes.ts'
import { assemble } from '../nn/frame.ts'
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

/** The code of a published size such as `gmlp-s16`, and what it reads. Throws for an unknown name. */
function modelOf(name: string): [Forward, InputSpec] {
  const { block, modality, input, outputs } = publishedSize(name)
  const forward = assemble(block, resolveSize(block, {}, name), modality, { inputs: outputs, outputs })
  return [forward, { shape: [1, ...input], dtype: modality === 'text' ? 'int32' : 'float32' }]
}

/** Parameters, multiply-adds and tensors of a published size. Throws for an unknown name. */
export async function traceSize(name: string): Promise<Trace> {
  return traceModel(...modelOf(name))
}

/** Most bytes of a training step of a published size, as `stepBytes`. */
export async function stepBytesOfSize(name: string, batch: number, threads: number): Promise<number> {
  return stepBytes(...modelOf(name), batch, threads)
}
