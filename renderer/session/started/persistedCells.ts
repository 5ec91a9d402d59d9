import type { Host, StartedCell } from '../../../engine/host.ts'
import { host } from '../../host/state.ts'
import type { SentEvent } from '../../protocol/runPoints.ts'
import type { StudyView } from '../../protocol/study.ts'
import { useParallelRuns } from '../kernel/parallelRunsSetting.ts'
import { useKernel } from '../kernel/state.ts'
import { factsOf, useNotebook } from '../state.ts'
import { noteResumed } from './abandonedRuns.ts'

/** A cell of the open notebook that this page runs, and whether the host has stored it. */
interface PersistedCell {
  started: StartedCell
  known: boolean
}

const kept = new Map<string, PersistedCell>()
/** How often that has changed. */
let changes = 0

/** Stores with the host that the user started a cell, once its runs are known, and the cells that wait for it. */
export function persistPlanned(cell: string, events: SentEvent[]): void {
  for (const event of events) {
    if (event.type !== 'plan') continue
    noteResumed(event.design.runs.map(({ key }) => key))
    const before = kept.get(cell)?.started
    if (!before && event.runs.every(({ done }) => done)) continue
    const plans = { ...before?.plans, [event.study]: event.design.runs.map(({ key }) => key) }
    persist(cell, before ? { ...before, plans } : startedNow(cell, plans))
  }
  if (!kept.has(cell)) return
  for (const [id, { phase }] of Object.entries(useNotebook.getState().states)) {
    if (phase === 'queued' && !kept.has(id)) persist(id, startedNow(id, {}))
  }
}

/** Notes that this page goes on with a cell that was started before. */
export function noteTaken(started: StartedCell): void {
  changes++
  kept.set(started.cell, { started, known: true })
}

/** Keeps a running cell whose page was closed before it could keep the plan. */
export function persistShown(cell: string, studies: StudyView[]): void {
  if (studies.every(({ runs }) => runs.every(({ status }) => status === 'done'))) return
  const plans = studies.map(({ study, runs }) => [study, runs.map(({ key }) => key)])
  persist(cell, startedNow(cell, Object.fromEntries(plans)))
}

/** What is kept of a cell that this page runs, if anything. */
export function persistedCellOf(cell: string): StartedCell | null {
  return kept.get(cell)?.started ?? null
}

/** The cells that this page runs and that the host has stored. */
export function persistedCells(): StartedCell[] {
  return [...kept.values()].flatMap(({ started, known }) => (known ? [started] : []))
}

/** Whether any cell that this page runs would continue elsewhere without it. */
export function persistsAny(): boolean {
  return kept.size > 0
}

/** Through whom this page has a cell: one in progress through its kernel, where that outlives the page. */
export function holderOf(cell: string): Pick<Host, 'keepStarted' | 'takeStarted'> {
  const inProgress = useNotebook.getState().states[cell]?.phase === 'running'
  return (inProgress && useKernel.getState().kept) || host()
}

/** A cell has ended, or the user has stopped it. */
export function endPersisted(cell: string): void {
  const { name } = useNotebook.getState()
  if (!kept.delete(cell)) return
  changes++
  if (name === null) return
  enqueueCall(() => host().endStarted(name, cell))
}

/** Releases all cells, so that others can continue them: another notebook is opened. */
export function releasePersisted(): void {
  const { name } = useNotebook.getState()
  for (const cell of kept.keys()) if (name !== null) enqueueCall(() => host().freeStarted(name, cell))
  kept.clear()
  changes++
}

let lastCall: Promise<unknown> = Promise.resolve()

/**
 * Asks the host after all queued calls. Null where the cells that this page runs have changed meanwhile: what
 * the answer says of them can be older than they are.
 */
export async function askAfterPending<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  await lastCall
  const before = changes
  const answer = await ask()
  return changes === before ? answer : null
}

/**
 * Queues a call to the host about cells, so that calls arrive in order: what goes through the kernel has a way of its own, and could
 * come before what was said earlier. A call that a break of the connection took away is made again; a host that is closed
 * has forgotten who ran what.
 */
function enqueueCall(call: () => Promise<unknown>): void {
  lastCall = lastCall.then(call).catch(() => {})
}

function persist(cell: string, started: StartedCell | null): void {
  if (!started) return
  const entry = { started, known: false }
  changes++
  kept.set(cell, entry)
  const holder = holderOf(cell)
  enqueueCall(async () => {
    await holder.keepStarted(started)
    entry.known = true
  })
}

function startedNow(cell: string, plans: StartedCell['plans']): StartedCell | null {
  const state = useNotebook.getState()
  const facts = factsOf(state, cell)
  const source = state.cells.find(({ id }) => id === cell)?.source
  if (state.name === null || !facts || source === undefined) return null
  const fingerprint = state.states[cell]?.phase === 'running' ? state.states[cell].fingerprint : facts.fingerprint
  return {
    ...{ notebook: state.name, cell, source, fingerprint: fingerprint ?? facts.fingerprint, plans },
    ...{ backend: useKernel.getState().wanted, atOnce: useParallelRuns.getState().wanted, at: Date.now() },
  }
}
