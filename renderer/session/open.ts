import { messageOf } from '../../engine/errors.ts'
import type { CellOutput, NotebookFile } from '../../engine/host.ts'
import { isSameCell } from '../../engine/notebook/merge.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import type { Cell } from '../../engine/notebook/types.ts'
import { host } from '../host/state.ts'
import { parseOutput } from '../protocol/output.ts'
import { reconcile, stopped } from '../protocol/study.ts'
import { analyzeSoon } from './analyzed.ts'
import { type PageCell, plainCells } from './edit.ts'
import { type CellState, EMPTY, IDLE, stepTo, useNotebook } from './state.ts'
import { type Moment, NO_STEPS, type Steps } from './steps.ts'

let lastKey = 0
let openings = 0

/** The notebooks that were left last, with what can be undone in them. */
const left = new Map<string, Moment & { steps: Steps }>()
const MAX_LEFT = 10

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
  rememberSteps()
  useNotebook.setState({ ...EMPTY, name })
  try {
    const [file, outputs] = await Promise.all([host().readNotebook(name), host().readOutputs(name)])
    if (!wanted()) return null
    const known = left.get(name)
    if (known) useNotebook.setState({ ...known, cells: [...known.cells] }) // another list, to be analysed again
    showText(file.text)
    if (!known) useNotebook.setState({ steps: NO_STEPS })
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

/** Keeps what can be undone in the open notebook until it is opened again. */
function rememberSteps(): void {
  const { name, revision, cells, layout, steps } = useNotebook.getState()
  if (name === null || revision === null) return
  left.delete(name)
  left.set(name, { cells, layout, steps })
  for (const oldest of [...left.keys()].slice(0, -MAX_LEFT)) left.delete(oldest)
}

/** Another notebook will have this name. */
export function forgetSteps(name: string): void {
  left.delete(name)
}

/** Shows a text as the cells of the open notebook. Cells that keep their id keep their place on the page. */
export function showText(text: string): void {
  showCells(parseNotebook(text), text)
}

/** Shows cells in place of those of the open notebook, in the same way; `layout` is the file that they come from. */
export function showCells(shown: Cell[], layout?: string): void {
  const known = new Map(useNotebook.getState().cells.map((cell) => [cell.id, cell]))
  const cells = shown.map((cell): PageCell => {
    const before = known.get(cell.id)
    return before && isSameCell(before, cell) ? before : { ...cell, key: before?.key ?? newKey() }
  })
  stepTo(cells, layout === undefined ? {} : { layout })
  useNotebook.setState({ error: null })
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
