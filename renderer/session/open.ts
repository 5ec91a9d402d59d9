import { messageOf } from '../../engine/errors.ts'
import type { CellOutput, NotebookFile } from '../../engine/host.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import type { Cell } from '../../engine/notebook/types.ts'
import { host } from '../host/state.ts'
import { parseOutput } from '../protocol/output.ts'
import { reconcile, stopped } from '../protocol/study.ts'
import { analyzeSoon } from './analyzed.ts'
import { plainCells } from './edit.ts'
import { type CellState, EMPTY, IDLE, useNotebook } from './state.ts'

let lastKey = 0
let openings = 0

/** A key that no cell of this page has had. */
export function newKey(): string {
  return `cell:${++lastKey}`
}

/**
 * Opens a notebook with the outputs that it had. Runs nothing. Returns its file, or null where it is not shown: it
 * cannot be read, or another was opened meanwhile.
 */
export async function openNotebook(name: string): Promise<NotebookFile | null> {
  const opening = ++openings
  const wanted = () => opening === openings && useNotebook.getState().name === name
  useNotebook.setState({ ...EMPTY, name })
  try {
    const [file, outputs] = await Promise.all([host().readNotebook(name), host().readOutputs(name)])
    if (!wanted()) return null
    showText(file.text)
    const { cells } = useNotebook.getState()
    const base = { text: file.text, cells: plainCells(cells) }
    const states = await restored(outputs)
    if (!wanted()) return null
    useNotebook.setState({ revision: file.revision, base, states })
    setTimeout(() => selectFirst(name)) // the focus has the page laid out: a task of its own
    return file
  } catch (error) {
    if (wanted()) useNotebook.setState({ error: messageOf(error) })
    return null
  }
}

function selectFirst(opened: string): void {
  const { name, selected, cells } = useNotebook.getState()
  if (name === opened && selected === null) useNotebook.setState({ selected: cells[0]?.key ?? null })
}

/** Shows a text as the cells of the open notebook. Cells that keep their id keep their place on the page. */
export function showText(text: string): void {
  showCells(parseNotebook(text))
}

/** Shows cells in place of those of the open notebook, in the same way. */
export function showCells(shown: Cell[]): void {
  const known = new Map(useNotebook.getState().cells.map((cell) => [cell.id, cell.key]))
  const cells = shown.map((cell) => ({ ...cell, key: known.get(cell.id) ?? newKey() }))
  useNotebook.setState({ cells, error: null })
  analyzeSoon()
}

/** What cells have shown, with what the store knows of the runs in it: those in training are trained elsewhere. */
async function restored(outputs: CellOutput[]): Promise<Record<string, CellState>> {
  const parsed = outputs.flatMap(({ cell, fingerprint, output: stored }) => {
    const output = parseOutput(stored)
    return output ? [{ cell, fingerprint, output }] : []
  })
  const keys = parsed.flatMap(({ output }) => output.studies.flatMap(({ runs }) => runs.map(({ key }) => key)))
  const known = keys.length > 0 ? await host().listRuns({ keys }) : []
  return Object.fromEntries(
    parsed.map(({ cell, fingerprint, output }): [string, CellState] => {
      const studies = output.studies.map((study) => reconcile(stopped(study), known))
      const elsewhere = studies.some(({ runs }) => runs.some(({ status }) => status === 'running'))
      const phase = elsewhere ? 'running' : output.ended
      return [cell, { ...IDLE, phase, elsewhere, fingerprint, output: { ...output, studies } }]
    }),
  )
}
