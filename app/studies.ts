import { evaluateEach, type FailedCell, parseNotebook } from '../engine/notebook/index.ts'
import type { Study } from '../engine/study/compare.ts'
import { checkTogetherAmong } from '../engine/study/planned/together.ts'
import { namesIn } from '../engine/study/source/designs.ts'
import { studiesIn as studiesAmong } from '../engine/study/studies.ts'
import { modules } from './modules.ts'

/** A cell that failed, and the names of the studies that it would have defined, as far as its text has them. */
export interface CellWithout extends FailedCell {
  studies: string[]
}

type Failed = (cell: CellWithout) => void

const thrown: Failed = ({ error }) => {
  throw error
}

/** What the cells of a notebook define. */
interface Defined {
  values: unknown[]
  /** Whether no cell failed. */
  isWhole: boolean
}

/**
 * Evaluates a notebook and gives the studies that it defines. What its cells print goes to `print`, cells that fail to
 * `failed`, which throws the first error where it is left out.
 */
export async function studiesIn(notebook: string, print: (line: string) => void, failed?: Failed): Promise<Study[]> {
  const { values, isWhole } = await definedIn(notebook, print, failed)
  const studies = studiesAmong(values)
  if (isWhole) checkTogetherAmong(studies)
  return studies
}

/** The same of everything that it defines. */
export async function definedIn(
  notebook: string,
  print: (line: string) => void,
  failed: Failed = thrown,
): Promise<Defined> {
  const log = (...values: unknown[]) => print(values.map(String).join(' '))
  const console = { debug: log, log, info: log, warn: log, error: log }
  const cells = parseNotebook(notebook)
  let isWhole = true
  const definitions = await evaluateEach(cells, modules, { console }, (each) => {
    isWhole = false
    const source = cells.find(({ id }) => id === each.cell)?.source ?? ''
    failed({ ...each, studies: namesIn(source, each.cell) })
  })
  return { values: [...definitions.values()].map(({ value }) => value), isWhole }
}
