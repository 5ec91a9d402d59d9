import { MixlabError } from '../../engine/errors.ts'
import { dependenciesOf } from '../../engine/notebook/graph.ts'
import { abandonRuns, interruptKernel, restartKernel, runningKernel } from '../kernel/control.ts'
import { cellError } from '../kernel/error.ts'
import type { EvaluateRequest, EvaluateResult } from '../kernel/protocol.ts'
import { useKernel } from '../kernel/state.ts'
import { EMPTY_OUTPUT, type Output } from '../outputs/output.ts'
import { analyzeNow, plain } from './open.ts'
import { save } from './save.ts'
import { type Step, schedule } from './schedule.ts'
import { factsOf, IDLE, setCellState, useNotebook } from './state.ts'
import { storeOutput } from './storeOutput.ts'

/** Cells asked for and not yet begun, in order. */
let queue: string[] = []
let working = false

/** Runs cells, after the cells they depend on that have not run; studies among them are trained. */
export function runCells(ids: string[]): void {
  const fresh = ids.filter((id) => !queue.includes(id) && phaseOf(id) !== 'running')
  queue.push(...fresh)
  for (const id of fresh) setCellState(id, { phase: 'queued' })
  if (!working) void work()
}

/** Runs all code cells. */
export function runAll(): void {
  analyzeNow()
  runCells(useNotebook.getState().facts.order)
}

/** Stops the cell in progress at its next step, and forgets those that wait. */
export function interrupt(): void {
  forgetQueue()
  void interruptKernel()
}

/** Ends the kernel at once and starts a new one. */
export function restart(): void {
  forgetQueue()
  abandonRuns()
  void restartKernel()
}

/** Forgets what waits and ends what runs, because another notebook is opened. */
export function leave(): void {
  forgetQueue()
  abandonRuns()
  if (working || Object.keys(useKernel.getState().evaluated).length > 0) void restartKernel('the notebook was closed')
}

async function work(): Promise<void> {
  working = true
  const failed = new Set<string>()
  while (queue.length > 0) {
    analyzeNow()
    void save()
    const { facts } = useNotebook.getState()
    const next = facts.order.find((id) => queue.includes(id)) ?? queue[0] ?? ''
    for (const step of schedule(facts, useKernel.getState().evaluated, [next])) {
      if (!queue.includes(next)) break // interrupted while its dependencies ran
      if (step.wanted) queue = queue.filter((id) => id !== next)
      if (step.wanted || !failed.has(step.id)) await runStep(step, failed)
    }
  }
  working = false
  useKernel.setState(({ phase }) => (phase === 'busy' || phase === 'interrupting' ? { phase: 'ready' } : {}))
}

async function runStep(step: Step, failed: Set<string>): Promise<void> {
  const { id, wanted } = step
  const { facts, cells, states, name } = useNotebook.getState()
  const before = states[id] ?? IDLE
  const fingerprint = factsOf(useNotebook.getState(), id)?.fingerprint ?? null
  const studies = before.output?.studies ?? []
  setCellState(id, { phase: 'running', fingerprint, output: { ...EMPTY_OUTPUT, studies } })
  failed.delete(id)

  const broken = [...dependenciesOf(facts, id)].find((other) => failed.has(other))
  const result = broken
    ? failure(new MixlabError('notebook', '', `depends on '${broken}', which failed`), id)
    : await evaluate({ cells: plain(cells), facts, id, train: wanted })

  if (result.error) failed.add(id)
  else useKernel.setState(({ evaluated }) => ({ evaluated: { ...evaluated, [id]: fingerprint ?? '' } }))
  if (useNotebook.getState().name !== name) return
  const onlyEvaluated = !wanted && result.studies.length > 0 && !result.error
  if (onlyEvaluated) setCellState(id, before.phase === 'queued' ? { ...before, phase: 'queued' } : before)
  else settle(id, result)
}

/** What the kernel itself cannot evaluate it answers; a call that rejects was cut off with its kernel. */
async function evaluate(request: EvaluateRequest): Promise<EvaluateResult> {
  try {
    const kernel = await runningKernel()
    useKernel.setState({ phase: 'busy' })
    return await kernel.evaluate(request).catch((error) => ({ ...failure(error, request.id), interrupted: true }))
  } catch (error) {
    return failure(error, request.id)
  }
}

function failure(error: unknown, id: string): EvaluateResult {
  return { value: null, error: cellError(error, id), studies: [], interrupted: false }
}

function settle(id: string, result: EvaluateResult): void {
  const output = useNotebook.getState().states[id]?.output ?? EMPTY_OUTPUT
  const ended: Output['ended'] = result.interrupted ? 'interrupted' : hasFailed(result, output) ? 'failed' : 'done'
  const studies = result.error ? output.studies : output.studies.filter(({ study }) => result.studies.includes(study))
  setCellState(id, { phase: ended, output: { ...output, ended, value: result.value, error: result.error, studies } })
  storeOutput(id)
}

/** A study whose runs all failed has failed; one failed run among others is shown in its table. */
function hasFailed(result: EvaluateResult, output: Output): boolean {
  const runs = output.studies.flatMap((study) => study.runs)
  return result.error !== null || (runs.length > 0 && runs.every((run) => run.status === 'failed'))
}

function forgetQueue(): void {
  for (const id of queue) setCellState(id, { phase: useNotebook.getState().states[id]?.output?.ended ?? 'idle' })
  queue = []
}

function phaseOf(id: string) {
  return useNotebook.getState().states[id]?.phase
}
