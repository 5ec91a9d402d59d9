import { sizeOf } from '../../../compile/graph.ts'
import { attentions } from './attention.ts'
import { convolutions } from './convolutions.ts'
import { elementwise } from './elementwise.ts'
import type { Lowering } from './instruction.ts'
import { products } from './products.ts'
import { shapes } from './shapes.ts'

/** The operations that can be done chunk by chunk, by kernel. A new one is one line in one of these tables. */
const lowerings: Record<string, Lowering> = { ...attentions, ...convolutions, ...elementwise, ...products, ...shapes }

/** Elements of a value that has nothing to do with the batch, such as a mean, that are not worth cutting. */
const FEW = 1024

/** The instructions of an operation on one chunk, or null where it has to see the whole batch. */
export const lower: Lowering = (operation, cut) => {
  const uses = [...Object.values(operation.inputs), ...operation.outputs]
  const apart = uses.every((use) => (cut.rows || (use.shape[0] ?? 1) % cut.batch !== 0) && sizeOf(use) < FEW)
  return apart ? null : (lowerings[operation.kernel]?.(operation, cut) ?? null)
}
