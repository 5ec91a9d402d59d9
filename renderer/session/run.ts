import { MixlabError } from '../../engine/errors.ts'
import { dependenciesOf } from '../../engine/notebook/graph.ts'
import type { NotebookFacts } from '../../engine/notebook/types.ts'
import { host } from '../host/state.ts'
import type { EvaluateRequest, EvaluateResult } from '../protocol/kernel.ts'
import type { RunningCell } from '../protocol/kernelSession.ts'
import { EMPTY_OUTPUT } from '../protocol/output.ts'
import type { StudyView } from '../protocol/study.ts'
import { analyzed } from './analyzed.ts'
import { plainCells } from './edit.ts'
import { save } from './files/save.ts'
import { followersOf, type LastRun } from './follow.ts'
import { follows } from './following.ts'
import { interruptKernel, leaveKernel, restartKernel, runningKernel } from './kernel/control.ts'
import type { DetachableKernel } from './kernel/hiddenKernel.ts'
import { useParallelRuns } from './kernel/parallelRunsSetting.ts'
import { takePoints } from './kernel/points.ts'
import { endedWith, failure } from './kernel/shown.ts'
import { type OpenKernel, outlivesPage } from './kernel/source.ts'
import { useKernel } from './kernel/state.ts'
import { usersOf, valuesAfter } from './kernel/values.ts'
import { withRuns } from './runFigures.ts'
import { runQuery } from './runQuery.ts'
import { type ScheduledCell, schedule } from './schedule.ts'
import { endPersisted, noteTaken, persistedCellOf, persistShown, releasePersisted } from './started/persistedCells.ts'
import { stopElsewhere } from './started/watch.ts'
import { type CellState, factsOf, IDLE, setCellState, useNotebook } from './state.ts'
import { storeOutput } from './storeOutput.ts'

/** Cells asked for and not yet begun, in order. */
let queue: string[] = []
/** Cells in the queue that only follow another cell, and some that have left the queue. */
const following = new Set<string>()
/** When cells in the queue were asked for, and their text then: studies that are started at once are written at once. */
const asked = new Map<string, { at: number; fingerprint: string | null }>()
/** The cells that have run since the notebook was opened. */
const ran = new Map<string, LastRun>()
let working = false
/** Whether this page knows what the kernel did before it, where it outlives pages. */
let reattached = !outlivesPage()

/**
 * Runs cells, after the cells they depend on that have not run; studies among them are trained. Queries wait for
 * nothing.
 */
export function runCells(ids: string[]): void {
  for (const id of ids.filter(isQuery)) void runQuery(id)
  runInOrder(ids.filter((id) => !isQuery(id)))
}

function runInOrder(ids: string[]): void {
  for (const id of ids) following.delete(id)
  enqueue(ids.filter((id) => phaseOf(id) !== 'running'))
  if (!working) void work()
}

function enqueue(ids: string[]): void {
  queue.push(...ids)
  const at = Date.now()
  for (const id of ids) asked.set(id, { at, fingerprint: fingerprintOf(id) })
  for (const id of ids) setCellState(id, { phase: 'queued' })
}

/** Runs all code cells, and then the queries, which may ask for what those have trained. */
export async function runAll(): Promise<void> {
  await analyzed()
  const { facts, cells } = useNotebook.getState()
  runInOrder([...facts.order, ...cells.map(({ id }) => id).filter(isQuery)])
}

/**
 * Stops a cell at its next step, by default the running one, and forgets the waiting cells. A cell that runs elsewhere
 * is stopped there.
 */
export function interrupt(id?: string): void {
  const elsewhere = Object.entries(useNotebook.getState().states).flatMap(([cell, state]) =>
    state.elsewhere && (id === undefined ? !working : cell === id) ? [cell] : [],
  )
  for (const cell of elsewhere) void stopElsewhere(cell)
  if (elsewhere.length > 0) return
  forgetQueue()
  void interruptKernel()
}

/** Resolves once no cell runs here. */
export function idle(): Promise<void> {
  if (!working) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = useKernel.subscribe(() => {
      if (working) return
      stop()
      resolve()
    })
  })
}

/** Ends the kernel at once and starts a new one. */
export function restart(): void {
  forgetQueue()
  void restartKernel()
}

/** Clears the queue and leaves the cell in progress to another page or kernel, because another notebook is opened. */
export function leave(): void {
  reattached = !outlivesPage()
  releasePersisted()
  forgetQueue()
  ran.clear()
  const reason = 'the notebook was closed'
  if (leaveKernel(reason)) return
  if (working || Object.keys(useKernel.getState().evaluated).length > 0) void restartKernel(reason)
}

/** Whether `reattach` is done, or there is nothing to reattach to. */
export function hasReattached(): boolean {
  return reattached
}

/** Reattaches this page to the kernel of the open notebook, which may hold values and run a cell from before the page. */
export async function reattach(): Promise<void> {
  if (!outlivesPage()) return
  await idle() // a kernel that was left
  working = true // what the user runs meanwhile waits
  const { name } = useNotebook.getState()
  try {
    const { kept } = await runningKernel()
    const found = await kept?.state()
    if (useNotebook.getState().name !== name) return
    reattached = true
    if (!kept || !found) return
    const { wanted, report, evaluated, running } = found
    useKernel.setState({ wanted, report, evaluated })
    if (running) await followRunning(running, kept)
  } catch {
    reattached = useNotebook.getState().name === name // the state of the kernel has the error
  } finally {
    await work()
  }
}

/** Shows a cell that was in progress before this page, as if it had been started here. */
async function followRunning(running: RunningCell, kept: DetachableKernel): Promise<void> {
  const { id, fingerprint, train, ms, output, points, started } = running
  const before = useNotebook.getState().states[id] ?? IDLE
  takePoints(points)
  setCellState(id, { phase: 'running', elsewhere: false, outdated: false, fingerprint, output })
  if (started) noteTaken(started)
  else persistShown(id, output.studies)
  await finish({ id, wanted: train }, before, new Set(), () => inKernel(id, () => kept.result(id), ms))
}

async function work(): Promise<void> {
  working = true
  const failed = new Set<string>()
  while (queue.length > 0) {
    await analyzed()
    void save()
    forgetQueue(queue.filter((id) => !canRun(id)))
    const { facts } = useNotebook.getState()
    const next = facts.order.find((id) => queue.includes(id)) ?? queue[0]
    if (next === undefined) break
    for (const step of schedule(facts, useKernel.getState().evaluated, [next])) {
      if (!queue.includes(next) || !canRun(next)) break // interrupted or deleted while its dependencies ran
      const wanted = step.wanted && !following.has(next)
      if (step.wanted) queue = queue.filter((id) => id !== next)
      if (step.wanted || !failed.has(step.id)) await runStep({ id: step.id, wanted }, failed)
    }
  }
  working = false
  useKernel.setState(({ phase }) => (phase === 'busy' || phase === 'interrupting' ? { phase: 'ready' } : {}))
}

async function runStep(step: ScheduledCell, failed: Set<string>): Promise<void> {
  const { id, wanted } = step
  if (isQuery(id)) return runQuery(id)
  const { facts, cells, states } = useNotebook.getState()
  const before = states[id] ?? IDLE
  const fingerprint = factsOf(useNotebook.getState(), id)?.fingerprint ?? null
  const studies = before.output?.studies ?? []
  const source = cells.find((cell) => cell.id === id)?.source ?? ''
  setCellState(id, { phase: 'running', fingerprint, outdated: false, output: { ...EMPTY_OUTPUT, source, studies } })
  failed.delete(id)

  const broken = [...dependenciesOf(facts, id)].find((other) => failed.has(other))
  const request = { cells: plainCells(cells), facts, id, train: wanted, ...wantedOf(id), ...writtenAt(id) }
  await finish(step, before, failed, async () =>
    broken
      ? { ...failure(new MixlabError('notebook', '', `depends on '${broken}', which failed`), id), ms: null }
      : inKernel(id, (kernel) => kernel.evaluate(request)),
  )
}

/** Shows the result of a cell in progress, and then runs the cells that follow it; `before` is the earlier output. */
async function finish(
  step: ScheduledCell,
  before: CellState,
  failed: Set<string>,
  evaluate: () => Promise<Result>,
): Promise<void> {
  const { id, wanted } = step
  const { facts, states, name } = useNotebook.getState()
  const { losses } = useKernel.getState()
  const { fingerprint = null, output } = states[id] ?? IDLE
  const result = await evaluate()
  if (useKernel.getState().losses > losses && useNotebook.getState().name === name) return runStep(step, failed)

  if (result.error) failed.add(id)
  if (useNotebook.getState().name !== name) return
  noteValues(facts, id, result.error ? null : (fingerprint ?? ''), wanted)
  const onlyEvaluated = !wanted && result.studies.length > 0 && !result.error
  if (onlyEvaluated) setCellState(id, before)
  else await settle(id, result, before.fingerprint === fingerprint ? [] : (before.output?.studies ?? []))
  if (useNotebook.getState().name !== name) return
  endPersisted(id)
  if (result.ms === null) return
  ran.set(id, { source: output?.source ?? '', ms: result.ms, trains: result.studies.length > 0 })
  if (!result.interrupted && name !== null && follows(name)) follow(id)
}

const fingerprintOf = (id: string) => factsOf(useNotebook.getState(), id)?.fingerprint ?? null

/** Since when the user has had a cell run with the text that it has now. */
function writtenAt(id: string): Pick<EvaluateRequest, 'writtenAt'> {
  const known = asked.get(id)
  return known && known.fingerprint === fingerprintOf(id) ? { writtenAt: known.at } : {}
}

/** How the user wants the studies of a cell trained, and which runs they must have, if the cell goes on. */
function wantedOf(id: string): Pick<EvaluateRequest, 'atOnce' | 'plans'> {
  return { atOnce: useParallelRuns.getState().wanted, plans: persistedCellOf(id)?.plans ?? null }
}

/** What a run came to, and how long it took, in ms; null where it did not take place or was cut off. */
type Result = EvaluateResult & { ms: number | null }

/** What the kernel itself cannot evaluate it answers; a call that rejects was cut off with its kernel. It ran `before`, in ms. */
async function inKernel(
  id: string,
  evaluate: (kernel: OpenKernel) => Promise<EvaluateResult>,
  before = 0,
): Promise<Result> {
  try {
    const kernel = await runningKernel()
    const since = performance.now() - before
    useKernel.setState({ phase: 'busy', running: { id, since } })
    try {
      return { ...(await evaluate(kernel)), ms: performance.now() - since }
    } catch (error) {
      return { ...failure(error, id, true), ms: null }
    }
  } catch (error) {
    return { ...failure(error, id), ms: null }
  } finally {
    useKernel.setState({ running: null })
  }
}

/** Shows the result of a cell; the studies of its output `before`, which belong to other code, are dropped. */
async function settle(id: string, { ms, ...result }: Result, before: StudyView[]): Promise<void> {
  const { name, states } = useNotebook.getState()
  const output = states[id]?.output ?? EMPTY_OUTPUT
  const current = output.studies.filter((study) => !before.includes(study))
  const shown = await withRuns(endedWith({ ...output, studies: current }, result, ms), host())
  if (useNotebook.getState().name !== name) return
  setCellState(id, { phase: shown.ended, output: shown })
  storeOutput(id)
}

/**
 * Notes which values the kernel holds, which forgets those of cells that are gone. Where a cell was run again, what was
 * made of its earlier values no longer counts.
 */
function noteValues(facts: NotebookFacts, id: string, fingerprint: string | null, again: boolean): void {
  const outdated = again ? usersOf(facts, id) : []
  useKernel.setState(({ evaluated }) => ({ evaluated: valuesAfter(evaluated, facts, id, fingerprint, outdated) }))
  // The results of a study depend on the code alone.
  const { states } = useNotebook.getState()
  for (const other of outdated) if (states[other]?.output?.studies.length === 0) setCellState(other, { outdated: true })
}

/** Runs the cells again that follow a cell. */
function follow(id: string): void {
  const { facts, cells } = useNotebook.getState()
  const source = (other: string) => cells.find((cell) => cell.id === other)?.source
  const { evaluated } = useKernel.getState()
  const followers = followersOf(id, facts, source, { ran, evaluated, queue })
  for (const other of followers) following.add(other)
  enqueue(followers)
}

/** Takes cells out of the queue, by default all. */
function forgetQueue(ids: string[] = queue): void {
  for (const id of ids) {
    setCellState(id, { phase: useNotebook.getState().states[id]?.output?.ended ?? 'idle' })
    endPersisted(id)
  }
  queue = queue.filter((id) => !ids.includes(id))
}

function phaseOf(id: string) {
  return useNotebook.getState().states[id]?.phase
}

/** Whether a cell is still there, with something that runs. */
function canRun(id: string): boolean {
  return useNotebook.getState().cells.some((cell) => cell.id === id && (cell.kind === 'code' || cell.kind === 'sql'))
}

function isQuery(id: string): boolean {
  return useNotebook.getState().cells.some((cell) => cell.id === id && cell.kind === 'sql')
}
