import type { CostSizes } from '../cost/formulas.ts'
import type { Diagram } from './diagram.ts'

/**
 * Tokens, width and depth of a model as its blocks have them, and their multiply-adds with what is between them; null where
 * it has no blocks over tokens of one width.
 */
export function blockCosts({ operations, blockEnds }: Pick<Diagram, 'operations' | 'blockEnds'>) {
  const shapes = blockEnds.map((end) => operations[end - 1]?.shapes[0] ?? [])
  const [first = []] = shapes
  const [, tokens, width] = first
  if (first.length !== 3 || !tokens || !width || shapes.some((shape) => String(shape) !== String(first))) return null
  const top = operations[(blockEnds[0] ?? 0) - 1]?.scopes[0]
  const start = operations.findIndex(({ scopes }) => scopes[0] === top)
  const macs = operations.slice(start, blockEnds.at(-1)).reduce((sum, each) => sum + each.macs, 0)
  const sizes: CostSizes = { tokens, width, depth: blockEnds.length }
  return { sizes, macs }
}
