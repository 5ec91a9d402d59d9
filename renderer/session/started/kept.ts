import type { Host, StartedCell } from '../../../engine/host.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { host } from '../../host/state.ts'
import type { StudyView } from '../../protocol/study.ts'
import { useKernel } from '../kernel/state.ts'
import { useAtOnce } from '../kernel/wantedAtOnce.ts'
import { factsOf, useNotebook } from '../state.ts'
import { takeUpAgain } from './givenUp.ts'

/** A cell of the open notebook that this page runs, and whether the host has heard of it. */
interface Kept {
  started: StartedCell
  known: boolean
}

const kept = new Map<string, Kept>()
/** How often that has changed. */
let changes = 0

/** Keeps with the host that the user started a cell, once it is known what it trains, and the cells that wait for it. */
export function keepPlanned(cell: string, events: StudyEvent[]): void {
  for (const event of events) {
    if (event.type !== 'plan') continue
    takeUpAgain(event.design.runs.map(({ key }) => key))
    const before = kept.get(cell)?.started
    if (!before && event.runs.every(({ done }) => done)) continue
    const plans = { ...before?.plans, [event.study]: event.design.runs.map(({ key }) => key) }
    keep(cell, before ? { ...before, plans } : startedNow(cell, plans))
  }
  if (!kept.has(cell)) return
  for (const [id, { phase }] of Object.entries(useNotebook.getState().states)) {
    if (phase === 'queued' && !kept.has(id)) keep(id, startedNow(id, {}))
  }
}

/** Notes that this page goes on with a cell that was started before. */
export function noteTaken(started: StartedCell): void {
  changes++
  kept.set(started.cell, { started, known: true })
}

/** Keeps a cell in progress of which the page that started it has kept nothing, because it was gone before the plan. */
export function keepShown(cell: string, studies: StudyView[]): void {
  if (studies.every(({ runs }) => runs.every(({ status }) => status === 'done'))) return
  const plans = studies.map(({ study, runs }) => [study, runs.map(({ key }) => key)])
  keep(cell, startedNow(cell, Object.fromEntries(plans)))
}

/** What is kept of a cell that this page runs, if anything. */
export function keptOf(cell: string): StartedCell | null {
  return kept.get(cell)?.started ?? null
}

/** The cells that this page runs and that the host has heard of. */
export function keptCells(): StartedCell[] {
  return [...kept.values()].flatMap(({ started, known }) => (known ? [started] : []))
}

/** Whether anything that this page runs would go on elsewhere without it. */
export function keepsAny(): boolean {
  return kept.size > 0
}

/** Through whom this page has a cell: one in progress through its kernel, where that outlives the page. */
export function holderOf(cell: string): Pick<Host, 'keepStarted' | 'takeStarted'> {
  const inProgress = useNotebook.getState().states[cell]?.phase === 'running'
  return (inProgress && useKernel.getState().kept) || host()
}

/** A cell has ended, or the user has stopped it. */
export function endKept(cell: string): void {
  const { name } = useNotebook.getState()
  if (!kept.delete(cell)) return
  changes++
  if (name === null) return
  tell(() => host().endStarted(name, cell))
}

/** Leaves all cells to whoever goes on with them: another notebook is opened. */
export function freeKept(): void {
  const { name } = useNotebook.getState()
  for (const cell of kept.keys()) if (name !== null) tell(() => host().freeStarted(name, cell))
  kept.clear()
  changes++
}

let told: Promise<unknown> = Promise.resolve()

/**
 * Asks the host once it has heard all that it was told. Null where the cells that this page runs have changed meanwhile: what
 * the answer says of them can be older than they are.
 */
export async function askAfter<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  await told
  const before = changes
  const answer = await ask()
  return changes === before ? answer : null
}

/**
 * Tells the host what became of cells, one after the other: what goes through the kernel has a way of its own, and could
 * come before what was said earlier. A call that a break of the connection took away is made again; a host that is closed
 * has forgotten who ran what.
 */
function tell(call: () => Promise<unknown>): void {
  told = told.then(call).catch(() => {})
}

function keep(cell: string, started: StartedCell | null): void {
  if (!started) return
  const entry = { started, known: false }
  changes++
  kept.set(cell, entry)
  const holder = holderOf(cell)
  tell(async () => {
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
    ...{ backend: useKernel.getState().wanted, atOnce: useAtOnce.getState().wanted, at: Date.now() },
  }
}
