import type { BackendName } from '../../../engine/backends/types.ts'
import { messageOf } from '../../../engine/errors.ts'
import { host } from '../../host/state.ts'
import type { BackendReport, KernelListener } from '../../protocol/kernel.ts'
import { type CellOutputView, EMPTY_OUTPUT } from '../../protocol/output.ts'
import { stopped, trainedFor } from '../../protocol/study.ts'
import { notify } from '../../ui/notices.ts'
import { noteAbandoned } from '../started/abandonedRuns.ts'
import { persistPlanned } from '../started/persistedCells.ts'
import { setCellState, useNotebook } from '../state.ts'
import { storeOutput } from '../storeOutput.ts'
import { adapterCheckStore } from './adapterCheckStore.ts'
import { cardWanted, wantCard } from './cardWanted.ts'
import { watchHeartbeat } from './heartbeat.ts'
import { loadEarlierPoints } from './loadEarlierPoints.ts'
import { keepPoints } from './points.ts'
import { displayed, printed, shownAfter, withChosen } from './shown.ts'
import { type OpenKernel, openKernel } from './source.ts'
import { NO_MEMORY, trainsOn, useKernel } from './state.ts'

/** After so many losses of the device the processor takes over. */
const MAX_LOSSES = 2
const FALLBACK = 'simd'

interface Current {
  kernel: OpenKernel
  /** The kernel once it has a backend. */
  ready: Promise<OpenKernel>
  stopListening?: () => void
}

/** The kernel of this page. */
let current: Current | null = null

/** The kernel, started if there is none. Throws MixlabError `backend`. */
export async function runningKernel(): Promise<OpenKernel> {
  return (current ?? start()).ready
}

/** Asks the cell in progress to stop at its next step. */
export async function interruptKernel(): Promise<void> {
  if (!current) return
  useKernel.setState(({ phase }) => (phase === 'busy' ? { phase: 'interrupting' } : {}))
  await current.kernel.interrupt().catch(() => {}) // a kernel that is killed meanwhile has stopped, too
}

/** Ends the kernel at once, whatever it does, and starts a new one. */
export async function restartKernel(reason = 'the kernel was restarted'): Promise<void> {
  abandonRuns()
  const old = current
  forget()
  old?.kernel.kill(reason)
  await runningKernel().catch(() => {}) // its state has the error
}

/** Leaves the kernel to pages to come, with what it does. Returns whether it is one that outlives this page. */
export function leaveKernel(reason: string): boolean {
  const { kept } = useKernel.getState()
  if (!kept) return false
  forget()
  kept.leave(reason)
  return true
}

/**
 * Restarts the kernel on another backend, or card; null leaves the choice to the kernel. One that trains there already, on a
 * card that was not lost, keeps its values.
 */
export async function chooseBackend(wanted: BackendName | null, power = cardWanted().power): Promise<void> {
  const before = useKernel.getState()
  const card = cardWanted()
  const sameCard = card.power === power && card.losses === 0
  const stays = current !== null && sameCard && trainsOn({ ...before, wanted }) === trainsOn(before)
  wantCard({ power, losses: 0 })
  useKernel.setState({ wanted, losses: 0 })
  if (!stays) await restartKernel('another backend was chosen')
}

/**
 * Restarts the kernel, whose cell is then run once more by session/run.ts: its study continues from the last checkpoints, on
 * the same backend after the first loss, and after the second on the processor, where the runs say so.
 */
function deviceLost(why: string): void {
  const losses = useKernel.getState().losses + 1
  const { states } = useNotebook.getState()
  const studies = Object.values(states).flatMap(
    ({ phase, elsewhere, output }) => (phase === 'running' && !elsewhere && output?.studies) || [],
  )
  const ids = studies
    .flatMap(({ runs }) => runs)
    .flatMap(({ status, id }) => (status === 'running' && id !== null ? [id] : []))
  const last = losses === MAX_LOSSES
  wantCard({ losses: Math.min(losses, MAX_LOSSES) })
  useKernel.setState({ losses, ...(last && { wanted: FALLBACK }) })
  const outlived = useKernel.getState().kept !== null // its runs are interrupted a little later, then
  const restarted = restartKernel(why)
  const change = () => host().changeBackend(ids, FALLBACK)
  if (last && ids.length > 0) void (outlived ? restarted.then(change) : change()).catch(() => {}) // else trained anew
  notify({ tone: 'bad', text: lossText(why, last, studies.length > 0) })
}

function lossText(why: string, last: boolean, training: boolean): string {
  const lost = `The graphics card was lost${last ? ' twice' : ''} (${why.replace(/^the graphics card was lost: /, '')}).`
  if (!training) return `${lost} The kernel was restarted${last ? ` on ${FALLBACK}` : ''}.`
  const where = last ? `on the processor (${FALLBACK}), and the runs say so` : 'on it'
  return `${lost} Training continues ${where}, from the last checkpoint.`
}

/** Notes in the store that the runs in training will not go on. */
export function abandonRuns(): void {
  const { name, states } = useNotebook.getState()
  for (const [id, state] of Object.entries(states)) {
    if (state.phase !== 'running' || state.elsewhere || !state.output) continue
    const runs = state.output.studies.flatMap((study) => study.runs)
    noteAbandoned(runs.flatMap(({ key, status }) => (status === 'done' ? [] : [key])))
    for (const run of runs) {
      if (run.status !== 'running' || run.id === null) continue
      host()
        .record(run.id, [{ type: 'interrupted', step: run.step }])
        .then(({ ms }) => {
          if (useNotebook.getState().name !== name) return
          change(id, (output) => ({ ...output, studies: output.studies.map((study) => trainedFor(study, run, ms)) }))
        })
        .catch(() => {}) // the store notes it itself at its next start
    }
    change(id, (output) => ({ ...output, ended: 'interrupted', studies: output.studies.map(stopped) }))
    storeOutput(id)
  }
}

function start(): Current {
  const place = { host, notebook: () => useNotebook.getState().name }
  const kernel = openKernel(kernelListener(), place, useKernel.getState().wanted, (reason) => fail(kernel, reason))
  useKernel.setState({ phase: 'starting', error: null, kept: kernel.kept })
  const own: Current = { kernel, ready: kernel.started.then(ready, failed) }
  current = own

  function ready(report: BackendReport): OpenKernel {
    if (current !== own) return kernel
    useKernel.setState({ phase: 'ready', report })
    own.stopListening = watchHeartbeat(kernel.ping, {
      heard: (memory) => useKernel.setState({ memory }),
      silent: (silent) => useKernel.setState({ silent }),
    })
    return kernel
  }
  function failed(error: unknown): never {
    kernel.kill(messageOf(error))
    fail(kernel, messageOf(error))
    throw error
  }
  return own
}

/** A kernel has ended by itself; the next cell that runs starts another. */
function fail(kernel: OpenKernel, error: string): void {
  if (current?.kernel !== kernel) return
  forget()
  abandonRuns()
  useKernel.setState({ phase: 'failed', error })
}

/** Resets all that is known of the kernel. */
function forget(): void {
  current?.stopListening?.()
  current = null
  useKernel.setState({ phase: 'off', evaluated: {}, memory: NO_MEMORY, silent: 0, error: null, kept: null })
}

function kernelListener(): KernelListener {
  return {
    print: (id, lines) => change(id, (output) => printed(output, lines)),
    show: (id, values) => change(id, (output) => displayed(output, values)),
    study: (id, name, events) => {
      keepPoints(events)
      for (const event of events) if (event.type === 'backend') chosen(event.backend.name)
      change(id, (output) => shownAfter(output, name, events))
      persistPlanned(id, events)
      if (events.some((event) => event.type === 'plan' || event.type === 'begin')) storeOutput(id)
      void loadEarlierPoints(events, (to) =>
        change(id, (output) => ({ ...output, studies: output.studies.map(to) })),
      ).catch(() => {})
    },
    memory: (memory) => useKernel.setState({ memory }),
    lost: (why) => deviceLost(why),
    cardWanted: async () => cardWanted(),
    ...adapterCheckStore(() => useNotebook.getState().name),
  }
}

/** The kernel has chosen a backend for a study. */
function chosen(name: string): void {
  useKernel.setState(({ report }) => ({ report: report && withChosen(report, name) }))
}

function change(id: string, to: (output: CellOutputView) => CellOutputView): void {
  const output = useNotebook.getState().states[id]?.output ?? EMPTY_OUTPUT
  setCellState(id, { output: to(output) })
}
