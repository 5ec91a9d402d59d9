import type { Live } from '../../../engine/host.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { host } from '../../host/state.ts'
import { type CellOutputView, parseOutput } from '../../protocol/output.ts'
import { reconcile } from '../../protocol/study.ts'
import { addPoints, forgetPoints, lastKnownStep } from '../kernel/points.ts'
import { type CellState, setCellState, useNotebook } from '../state.ts'
import { persistedCellOf } from './persistedCells.ts'

const POINTS = 4000 // read of a metric at a time

/** Shows how those cells of the open notebook go on that another page or process runs, and how they have ended. */
export async function watchOthers({ started, running }: Live): Promise<void> {
  const { name, states } = useNotebook.getState()
  if (name === null) return
  const held = started.filter((each) => each.notebook === name && each.by !== null && !persistedCellOf(each.cell))
  const cells = new Set(held.map(({ cell }) => cell))
  const training = new Set(running.map(({ key }) => key))
  for (const [cell, state] of Object.entries(states)) {
    if (keysOf(state).some((key) => training.has(key)) && !runsHere(state)) cells.add(cell)
  }
  for (const cell of cells) {
    if (!runsHere(states[cell])) await show(name, cell, training)
  }
  for (const [cell, state] of Object.entries(states)) {
    if (state.elsewhere && !cells.has(cell)) await settle(name, cell)
  }
}

/** Stops a cell that another page or process runs, at its next step. */
export async function stopElsewhere(cell: string): Promise<void> {
  const { name, states } = useNotebook.getState()
  const runs = states[cell]?.output?.studies.flatMap((study) => study.runs) ?? []
  const ids = runs.flatMap(({ id, status }) => (status === 'running' && id !== null ? [id] : []))
  if (name !== null) await Promise.all([host().stopRuns(ids), host().endStarted(name, cell)])
}

const runsHere = (state: CellState | undefined) =>
  state !== undefined && !state.elsewhere && (state.phase === 'running' || state.phase === 'queued')

const keysOf = ({ output }: CellState) => output?.studies.flatMap(({ runs }) => runs.map(({ key }) => key)) ?? []

async function show(name: string, cell: string, training: Set<string>): Promise<void> {
  const state = useNotebook.getState().states[cell]
  const current = state?.elsewhere && keysOf(state).some((key) => training.has(key))
  const shown = current ? state : await storedState(name, cell)
  if (shown?.output) change(name, cell, { phase: 'running', elsewhere: true, ...(await upToDate(shown, shown.output)) })
}

async function settle(name: string, cell: string): Promise<void> {
  const shown = await storedState(name, cell)
  if (!shown?.output) return change(name, cell, { phase: 'idle', elsewhere: false })
  change(name, cell, { phase: shown.output.ended, elsewhere: false, ...(await upToDate(shown, shown.output)) })
}

/** What a cell shows, with what the store has of its runs by now. */
async function upToDate({ fingerprint }: StoredState, output: CellOutputView): Promise<StoredState> {
  const stored = await host().listRuns({ keys: output.studies.flatMap(({ runs }) => runs.map(({ key }) => key)) })
  await Promise.all(stored.map(addNewPoints))
  return { fingerprint, output: { ...output, studies: output.studies.map((study) => reconcile(study, stored)) } }
}

type StoredState = Pick<CellState, 'output' | 'fingerprint'>

/** What the host has of a cell. */
async function storedState(name: string, cell: string): Promise<StoredState | null> {
  const stored = (await host().readOutputs(name)).find((each) => each.cell === cell)
  return stored ? { output: parseOutput(stored.output), fingerprint: stored.fingerprint } : null
}

function change(name: string, cell: string, to: Partial<CellState>): void {
  const { name: open, states } = useNotebook.getState()
  if (open === name && !runsHere(states[cell])) setCellState(cell, to)
}

/** Reads what the store has of a run in training beyond what is known here; of one that has gone back, all. */
async function addNewPoints({ id, status, metrics }: StoredRun): Promise<void> {
  const names = Object.keys(metrics)
  if (status !== 'running' && names.every((name) => lastKnownStep(id, name) < 0)) return // its lines are read once
  if (names.some((name) => lastKnownStep(id, name) > (metrics[name]?.lastStep ?? 0))) forgetPoints(id)
  const grown = names.filter((name) => lastKnownStep(id, name) < (metrics[name]?.lastStep ?? 0))
  const read = async (name: string) => {
    const range: [number, number] = [lastKnownStep(id, name) + 1, metrics[name]?.lastStep ?? 0]
    for (const line of await host().readSeries([id], name, POINTS, range)) addPoints(id, name, line)
  }
  await Promise.all(grown.map(read))
}
