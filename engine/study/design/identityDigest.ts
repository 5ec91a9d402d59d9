import type { SizeOfParts } from '../../nn/size.ts'
import { identityOf, type Naming } from '../../notebook/closures/identity.ts'
import { keyOfSpec } from '../key.ts'
import type { OpenVariant } from '../opened.ts'

/**
 * How the block of a variant enters the key of its runs where its code cannot be recorded: by what the code says and has
 * captured, and by `model`, the options of the model as they are kept. Null where nothing says what it has captured.
 */
export async function identityDigest(
  { block, size }: Pick<OpenVariant, 'block' | 'size'>,
  model: object,
  naming?: Naming,
): Promise<string | null> {
  const identity = await identityOf(block.origin, naming)
  const unnamed = { block: undefined, code: undefined, captured: undefined, stem: undefined, head: undefined }
  const { parts } = size as Partial<SizeOfParts>
  return identity && keyOfSpec({ ...model, identity, ...unnamed, ...(block.parts && { parts }) })
}

/** Operations whose gradients were corrected once. */
const CORRECTED =
  /\b(abs|absoluteDifference|cumprod|customGrad|euclideanNorm|huberLoss|max|maximum|min|minimum|norm|scan|split|surrogate|unstack)\b/

/** Whether code names one: where it cannot be recorded, nobody can say what its runs were trained by before. */
export function usesCorrected(code: string): boolean {
  return CORRECTED.test(code.replaceAll(/\bimport\b[^'"]*\bfrom\b/g, ''))
}
