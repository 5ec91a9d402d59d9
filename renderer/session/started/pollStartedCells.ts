import type { Live, StartedCell } from '../../../engine/host.ts'
import { host } from '../../host/state.ts'
import { analyzed } from '../analyzed.ts'
import { chooseBackend } from '../kernel/control.ts'
import { outlivesPage } from '../kernel/source.ts'
import { useKernel } from '../kernel/state.ts'
import { hasReattached, idle, interrupt, runCells } from '../run.ts'
import { factsOf, setCellState, useNotebook } from '../state.ts'
import { withoutAbandoned } from './abandonedRuns.ts'
import { continueInBackground } from './backgroundCell.ts'
import { showPendingDecisions } from './pendingDecisions.ts'
import {
  askAfterPending,
  holderOf,
  noteTaken,
  persistedCellOf,
  persistedCells,
  releasePersisted,
} from './persistedCells.ts'
import { watchOthers } from './watch.ts'

const POLL_MS = 500 // ms

/** The notebook that was open at the last poll. */
let before: string | null = null
/** The application quits; the cells of this page continue at its next start. */
let leaving = false
/** The cells that no page ran at the last poll, by notebook and cell. */
let free = new Set<string>()
/** The cells that this page runs and that the host did not know at the last poll. */
let unknown: StartedCell[] = []

/** Follows what is going on in the workspace, for as long as the page lives. */
export async function pollStartedCells(): Promise<void> {
  for (;;) {
    await pollOnce().catch(() => {}) // the connection banner shows the error
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/**
 * Polls once: a started cell that no page runs continues here, on exactly one page; what others
 * run is shown. A page that has just opened the notebook takes its cells at once. Others wait for a second poll, so that
 * after a break of the connection the page that runs a cell keeps it, and a page on the notebook comes before those on
 * other ones.
 */
export async function pollOnce(): Promise<void> {
  if (leaving) return
  const live = await askAfterPending(() => host().listLive())
  if (!live) return
  const running = withoutAbandoned(live.running)
  const { name, revision, conflict } = useNotebook.getState()
  const open = revision === null || conflict || !hasReattached() ? null : name
  const waited = ({ notebook, cell }: StartedCell) => free.has(placeOf(notebook, cell))
  const left = live.started.filter(({ by }) => by === null)
  const here = left.filter((each) => each.notebook === open)
  const ready = open === before ? here.filter((each) => persistedCellOf(each.cell) || waited(each)) : here
  free = new Set(left.map(({ notebook, cell }) => placeOf(notebook, cell)))
  before = open
  if (open !== null) {
    stopEnded(live)
    await goOn(open, ready)
    await watchOthers({ ...live, running })
  }
  if (outlivesPage()) return // the hidden window does
  for (const each of left) if (each.notebook !== name && waited(each)) void continueInBackground(each)
}

/** Stops the training of this page at a checkpoint, to continue at the next start; or for good. */
export async function endTraining(end: 'leave' | 'stop'): Promise<void> {
  leaving = end === 'leave'
  if (leaving) releasePersisted()
  interrupt()
  await idle()
}

const placeOf = (notebook: string, cell: string) => JSON.stringify([notebook, cell])

/**
 * Stops cells of this page that another page has ended. An answer that was on its way while the cell began or ended,
 * which the host learns by the connection of the kernel, says nothing: it takes two.
 */
function stopEnded({ started }: Live): void {
  const { name } = useNotebook.getState()
  const known = new Set(started.flatMap(({ notebook, cell }) => (notebook === name ? [cell] : [])))
  const missing = persistedCells().filter(({ cell }) => !known.has(cell))
  if (missing.some((each) => unknown.includes(each))) interrupt()
  unknown = missing
}

/** Continues cells of the open notebook that no page runs; where their code has changed since, the user is asked. */
async function goOn(name: string, left: StartedCell[]): Promise<void> {
  const changed: StartedCell[] = []
  const taken: StartedCell[] = []
  const mine = left.filter(({ cell }) => persistedCellOf(cell))
  if (left.length > 0) await analyzed()
  for (const started of left) {
    const { notebook, cell } = started
    const kept = persistedCellOf(cell)
    if (!kept && mine.includes(started)) continue // it has ended meanwhile
    const same = factsOf(useNotebook.getState(), cell)?.fingerprint === started.fingerprint
    if (!kept && !same) changed.push(started)
    else if ((await holderOf(cell).takeStarted(notebook, cell)) && !kept) taken.push(started)
  }
  if (useNotebook.getState().name !== name) return
  showPendingDecisions(changed)
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
