import { messageOf } from '../../engine/errors.ts'
import type { NotebookFile } from '../../engine/host.ts'
import { analyze } from '../../engine/notebook/graph.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import type { Cell } from '../../engine/notebook/types.ts'
import { host } from '../host/state.ts'
import { type CellOutputView, parseOutput } from '../protocol/output.ts'
import { reconcile, stopped } from '../protocol/study.ts'
import type { PageCell } from './edit.ts'
import { type CellState, EMPTY, IDLE, useNotebook } from './state.ts'

let lastKey = 0

/** A key that no cell of this page has had. */
export function newKey(): string {
  return `cell:${++lastKey}`
}

/** Opens a notebook with the outputs that it had. Runs nothing. Returns its file, or null where it is not shown. */
export async function openNotebook(name: string): Promise<NotebookFile | null> {
  useNotebook.setState({ ...EMPTY, name })
  try {
    const [file, outputs] = await Promise.all([host().readNotebook(name), host().readOutputs(name)])
    if (useNotebook.getState().name !== name) return null
    showText(file.text)
    const { cells } = useNotebook.getState()
    const base = { text: file.text, cells: plainCells(cells) }
    useNotebook.setState({ revision: file.revision, base, selected: cells[0]?.key ?? null })
    for (const stored of outputs) {
      const output = parseOutput(stored.output)
      if (!output) continue
      const { fingerprint } = stored
      const state: CellState = { ...IDLE, phase: output.ended, fingerprint, output: settled(output) }
      useNotebook.setState(({ states }) => ({ states: { ...states, [stored.cell]: state } }))
      if (output.studies.length > 0) void refreshStudies(name, stored.cell)
    }
    return file
  } catch (error) {
    if (useNotebook.getState().name === name) useNotebook.setState({ error: messageOf(error) })
    return null
  }
}

/** Shows a text as the cells of the open notebook. Cells that keep their id keep their place on the page. */
export function showText(text: string): void {
  showCells(parseNotebook(text))
}

/** Shows cells in place of those of the open notebook, in the same way. */
export function showCells(shown: Cell[]): void {
  const known = new Map(useNotebook.getState().cells.map((cell) => [cell.id, cell.key]))
  const cells = shown.map((cell) => ({ ...cell, key: known.get(cell.id) ?? newKey() }))
  useNotebook.setState({ cells, facts: analyze(plainCells(cells)), error: null })
}

/** Analyses the cells again after a change. */
export function analyzeNow(): void {
  const { cells } = useNotebook.getState()
  useNotebook.setState({ facts: analyze(plainCells(cells)) })
}

/** The cells without what only the page knows of them. */
export function plainCells(cells: PageCell[]): Cell[] {
  return cells.map(({ key: _, ...cell }) => cell)
}

function settled(output: CellOutputView): CellOutputView {
  return { ...output, studies: output.studies.map(stopped) }
}

/** Brings the studies of a restored output up to what the store knows of their runs. */
async function refreshStudies(name: string, id: string): Promise<void> {
  const shown = useNotebook.getState().states[id]?.output?.studies ?? []
  const keys = shown.flatMap((study) => study.runs.map((run) => run.key))
  const stored = await host().listRuns({ keys })
  const { name: open, states } = useNotebook.getState()
  const state = states[id]
  if (open !== name || !state?.output || state.phase === 'running') return
  const studies = state.output.studies.map((study) => stopped(reconcile(study, stored)))
  useNotebook.setState({ states: { ...states, [id]: { ...state, output: { ...state.output, studies } } } })
}
