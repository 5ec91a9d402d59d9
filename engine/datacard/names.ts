import type { Cell } from '../notebook/types.ts'
import { namesIn } from '../study/source/designs.ts'

const DATASET = /\bdataset\(\s*(['"])([^'"\\]+)\1/g

/** The names of the studies and data sets that cells would define, as far as their texts say. */
export function namesInCells(cells: readonly Pick<Cell, 'kind' | 'source' | 'id'>[]): string[] {
  const names = cells.flatMap(({ kind, source, id }) => {
    if (kind !== 'code') return []
    return [...namesIn(source, id), ...[...source.matchAll(DATASET)].map(([, , name]) => name as string)]
  })
  return [...new Set(names)]
}
