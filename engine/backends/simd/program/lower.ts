import { attentions } from './attention.ts'
import { elementwise } from './elementwise.ts'
import type { Lowering } from './instruction.ts'
import { products } from './products.ts'
import { shapes } from './shapes.ts'

/** The operations that can be done chunk by chunk, by kernel. A new one is one line in one of these tables. */
const lowerings: Record<string, Lowering> = { ...attentions, ...elementwise, ...products, ...shapes }

/** The instructions of an operation on one chunk, or null where it has to see the whole batch. */
export const lower: Lowering = (operation, cut) => lowerings[operation.kernel]?.(operation, cut) ?? null
