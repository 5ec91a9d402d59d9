import { expect, it } from 'vitest'
import { parseFilter } from '../../../engine/runs/filter.ts'
import { cellFilter } from '../../../renderer/runs/cellFilter.ts'

it('means the notebook and the cell to the letter', () => {
  const fields = { facts: [], options: [], metrics: [], meanings: {}, tags: [], studies: [] }
  const parts = (notebook: string, cell: string) =>
    parseFilter(cellFilter(notebook, cell), fields).flatMap((clause) =>
      clause.kind === 'field' && clause.column.name !== 'archived' ? [clause.wanted.map((wanted) => wanted.parts)] : [],
    )
  expect(parts('a b, "c".ts', 'x*\\y')).toEqual([[['a b, "c".ts']], [['x*\\y']]])
})
