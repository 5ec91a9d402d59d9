import type { Live, StartedCell } from '../../../engine/host.ts'
import { host } from '../../host/state.ts'
import { analyzed } from '../analyzed.ts'
import { chooseBackend } from '../kernel/control.ts'
import { outlivesPage } from '../kernel/source.ts'
import { useKernel } from '../kernel/state.ts'
import { hasTakenUp, idle, interrupt, runCells } from '../run.ts'
import { factsOf, setCellState, useNotebook } from '../state.ts'
import { ask } from './asked.ts'
import { continueBeside } from './beside.ts'
import { trulyRunning } from './givenUp.ts'
import { askAfter, freeKept, holderOf, keptCells, keptOf, noteTaken } from './kept.ts'
import { watchOthers } from './watch.ts'

const LOOK = 500 // ms

/** The notebook that was open at the last look. */
let before: string | null = null
/** The application quits, and what this page leaves goes on at its next start. */
let leaving = false
/** The cells that nobody ran at the last look, by notebook and cell. */
let free = new Set<string>()
/** The cells that this page runs and that the host did not know at the last look. */
let unknown: StartedCell[] = []

/** Follows what is going on in the workspace, for as long as the page lives. */
export async function beginLooking(): Promise<void> {
  for (;;) {
    await look().catch(() => {}) // the banner of the connection tells
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

/**
 * Looks once: what nobody runs of the cells that the user started goes on here, exactly one page takes it; what others
 * run is shown. A page that has just opened the notebook takes its cells at once. Others wait for a second look, so that
 * after a break of the connection the page that runs a cell keeps it, and a page on the notebook comes before those on
 * other ones.
 */
export async function look(): Promise<void> {
  if (leaving) return
  const live = await askAfter(() => host().listLive())
  if (!live) return
  const running = trulyRunning(live.running)
  const { name, revision, conflict } = useNotebook.getState()
  const open = revision === null || conflict || !hasTakenUp() ? null : name
  const waited = ({ notebook, cell }: StartedCell) => free.has(placeOf(notebook, cell))
  const left = live.started.filter(({ by }) => by === null)
  const here = left.filter((each) => each.notebook === open)
  const ready = open === before ? here.filter((each) => keptOf(each.cell) || waited(each)) : here
  free = new Set(left.map(({ notebook, cell }) => placeOf(notebook, cell)))
  before = open
  if (open !== null) {
    stopEnded(live)
    await goOn(open, ready)
    await watchOthers({ ...live, running })
  }
  if (outlivesPage()) return // the hidden window does
  for (const each of left) if (each.notebook !== name && waited(each)) void continueBeside(each)
}

/** Ends what this page trains at a checkpoint, to go on at the next start; or for good. */
export async function endTraining(end: 'leave' | 'stop'): Promise<void> {
  leaving = end === 'leave'
  if (leaving) freeKept()
  interrupt()
  await idle()
}

const placeOf = (notebook: string, cell: string) => JSON.stringify([notebook, cell])

/**
 * Stops what somebody else has ended of what this page runs. An answer that was on its way while the cell began or ended,
 * which the host learns by the connection of the kernel, says nothing: it takes two.
 */
function stopEnded({ started }: Live): void {
  const { name } = useNotebook.getState()
  const known = new Set(started.flatMap(({ notebook, cell }) => (notebook === name ? [cell] : [])))
  const missing = keptCells().filter(({ cell }) => !known.has(cell))
  if (missing.some((each) => unknown.includes(each))) interrupt()
  unknown = missing
}

/** Goes on with cells of the open notebook that nobody runs; where their code has changed since, the user is asked. */
async function goOn(name: string, left: StartedCell[]): Promise<void> {
  const changed: StartedCell[] = []
  const taken: StartedCell[] = []
  const mine = left.filter(({ cell }) => keptOf(cell))
  if (left.length > 0) await analyzed()
  for (const started of left) {
    const { notebook, cell } = started
    const kept = keptOf(cell)
    if (!kept && mine.includes(started)) continue // it has ended meanwhile
    const same = factsOf(useNotebook.getState(), cell)?.fingerprint === started.fingerprint
    if (!kept && !same) changed.push(started)
    else if ((await holderOf(cell).takeStarted(notebook, cell)) && !kept) taken.push(started)
  }
  if (useNotebook.getState().name !== name) return
  ask(changed)
  if (taken.length === 0) return
  for (const started of taken) {
    noteTaken(started)
    const { output } = useNotebook.getState().states[started.cell] ?? {}
    setCellState(started.cell, { elsewhere: false, phase: output?.ended ?? 'idle' })
  }
  const backend = taken.find((each) => each.backend !== null)?.backend ?? null
  const { wanted, running } = useKernel.getState()
  if (backend !== null && backend !== wanted && running === null) await chooseBackend(backend as typeof wanted)
  if (useNotebook.getState().name === name) runCells(taken.map(({ cell }) => cell))
}
