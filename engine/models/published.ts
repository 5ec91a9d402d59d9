import { MixlabError, suggest } from '../errors.ts'
import { resolveSize } from '../nn/size.ts'
import { type Trace, traceModel } from '../trace/trace.ts'
import { sizes } from './sizes.ts'
import { visionModel } from './vision.ts'

/** Parameters, multiply-adds and tensors of a published size such as `gmlp-s16`. Throws for an unknown name. */
export async function traceSize(name: string): Promise<Trace> {
  const found = sizes[name]
  if (!found) throw new MixlabError('option', 'model', `unknown model '${name}'${suggest(name, Object.keys(sizes))}`)
  const size = resolveSize(found.block, found.size, name)
  return traceModel(visionModel(found.block, size, 1000), [1, 224, 224, 3])
}
