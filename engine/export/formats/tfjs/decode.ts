import { z } from 'zod'
import { MixlabError, quoted } from '../../../errors.ts'
import { parseOptions } from '../../../options.ts'
import { convert } from '../../../weights/files/convert.ts'
import type { NamedTensor } from '../../../weights/safetensors.ts'

const dtypes = { float32: 'F32', int32: 'I32', bool: 'BOOL' } as const
const schema = z.looseObject({
  format: z.literal('graph-model'),
  userDefinedMetadata: z.looseObject({ mixlab: z.unknown() }).optional(),
  weightsManifest: z.array(
    z.looseObject({
      weights: z.array(
        z.looseObject({
          name: z.string(),
          shape: z.array(z.int().min(0)),
          dtype: z.enum(['float32', 'int32', 'bool']),
          quantization: z.undefined(),
        }),
      ),
    }),
  ),
})

/**
 * The tensors of a graph model of TensorFlow.js, and what it says of itself, as JSON; `parts` are model.json and the files
 * that it lists, in their order. Throws MixlabError `weights`; `source` names it.
 */
export function decodeTfjs([json, ...parts]: readonly Uint8Array[], source: string) {
  const fail = (what: string) => new MixlabError('weights', source, what)
  let model: z.output<typeof schema>
  try {
    model = parseOptions(schema, JSON.parse(new TextDecoder().decode(json ?? new Uint8Array())), 'model.json')
  } catch (error) {
    throw fail(`is no graph model: ${(error as Error).message}`)
  }
  const data = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    data.set(part, at)
    at += part.length
  }
  at = 0
  const tensors = model.weightsManifest
    .flatMap(({ weights }) => weights)
    .map(({ name, shape, dtype }): NamedTensor => {
      const length = shape.reduce((product, each) => product * each, dtype === 'bool' ? 1 : 4)
      const bytes = data.subarray(at, at + length)
      at += length
      return {
        name,
        shape,
        values: convert(dtypes[dtype], bytes, shape, (what) => fail(`tensor ${quoted(name)} ${what}`)),
      }
    })
  const about = model.userDefinedMetadata?.mixlab
  return { tensors, description: about === undefined ? null : JSON.stringify(about) }
}
