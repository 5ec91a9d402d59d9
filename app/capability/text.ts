import type { CapabilityRequest } from '../../engine/host.ts'
import { analyze, closureCode } from '../../engine/notebook/graph.ts'
import { transpile } from '../../engine/notebook/transpile.ts'
import { BUILT_IN, builtInCode } from '../../engine/study/key.ts'

/** The text that the user runs, as the keys of its runs name it. */
export interface RunText {
  /**
   * The source of a block that a spec names by `code`: a built-in one, one of a cell by its fingerprint, or the text of a
   * function in a cell. Null for a block whose code is of none of the cells.
   */
  codeOf(model: { block: string; code: string }): string | null
  /** Whether a metric is of the cells: by a fingerprint, or the text of a function. */
  has(code: string): boolean
  /** The source of a cell and of all that it depends on; of the last cell, for a name that is none of the cells'. */
  originOf(cell: string | undefined): { cell: string; source: string }
}

/** A cell that has such digits in its text is not the one that they stand for. */
const FINGERPRINT = /^[\da-f]{64}$/

/** Reads the cells of a capability; evaluates nothing. */
export function readText(cells: CapabilityRequest['cells']): RunText {
  const facts = analyze(cells)
  const last = cells.at(-1)?.id ?? ''
  const ids = new Map(facts.cells.map(({ id, fingerprint }) => [fingerprint, id]))
  const sources = new Map<string, string>()
  const codes = new Map<string, string>()

  function sourceOf(id: string): string {
    const source = sources.get(id) ?? closureCode(cells, facts, id)
    sources.set(id, source)
    return source
  }

  /** Whether a cell has the text of a function, without its types. */
  function hasFunction(code: string): boolean {
    return cells.some(({ id, source }) => {
      if (!codes.has(id)) codes.set(id, codeIn(id, source))
      return codes.get(id)?.includes(code)
    })
  }
  const has = (code: string) => (FINGERPRINT.test(code) ? ids.has(code) : code !== '' && hasFunction(code))

  return {
    has,
    codeOf({ block, code }) {
      if (code === BUILT_IN) return builtInCode(block)
      const id = ids.get(code)
      return id === undefined ? (has(code) ? code : null) : sourceOf(id)
    },
    originOf(cell = last) {
      const known = facts.cells.some(({ id }) => id === cell) ? cell : last
      return { cell: known, source: sourceOf(known) }
    },
  }
}

function codeIn(id: string, source: string): string {
  try {
    return transpile(source, id).code
  } catch {
    return '' // a cell with a syntax error runs nothing
  }
}
