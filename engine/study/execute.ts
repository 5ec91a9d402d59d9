import type { BackendInfo } from '../backends/types.ts'
import { messageOf } from '../errors.ts'
import type { FileSource, RunStore } from '../host.ts'
import { createModel, type Model } from '../nn/model.ts'
import { locate } from '../notebook/location.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import { taskKind } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import type { TrainEvent } from '../train/events.ts'
import { train } from '../train/train.ts'
import type { Study } from './compare.ts'
import { planRuns } from './plan.ts'
import { type ResolvedStudy, resolveStudy, type StudyOptions } from './resolve.ts'
import type { PlannedRun, StudyEvent } from './types.ts'

/** What a study needs from around it. */
export interface StudyEnvironment extends StudyOptions {
  runs: RunStore
  files: FileSource
  backend: BackendInfo
  /** Stops between steps when aborted; what was logged is kept. */
  signal?: AbortSignal | undefined
}

/** Milliseconds for which events are gathered before they are written to the store. */
const GATHER = 250

/**
 * Trains the runs of a study that the store does not have yet and records them. A run that fails does not stop the
 * others. Throws before training for anything wrong with the study or its data.
 */
export async function* executeStudy(study: Study, environment: StudyEnvironment): AsyncGenerator<StudyEvent> {
  const { runs, files, backend, signal } = environment
  const resolved = resolveStudy(study, environment)
  const task = await taskKind(resolved.task.task).open(resolved.task.options, files)
  const planned = planRuns(study, resolved, task)
  const done = new Map((await runs.findDone(planned.map(({ key }) => key))).map((run) => [run.key, run]))
  yield {
    type: 'plan',
    study: study.name,
    metric: task.metric,
    variants: resolved.variants.map(({ name }) => name),
    runs: planned.map((run) => ({ ...run, done: done.get(run.key) ?? null })),
  }

  const counts = { trained: 0, cached: 0, failed: 0 }
  for (const run of planned) {
    if (signal?.aborted) break
    if (done.has(run.key)) {
      counts.cached += 1
      continue
    }
    const id = await runs.beginRun({ ...run, backend: backend.name, device: backend.device })
    yield { type: 'begin', key: run.key, id }
    for await (const event of recorded(id, events(run, resolved, task, signal), runs)) {
      yield { type: 'run', key: run.key, id, event }
      if (event.type === 'done') counts.trained += 1
      if (event.type === 'failed') counts.failed += 1
    }
  }
  yield { type: 'end', ...counts, interrupted: signal?.aborted ?? false }
}

/** The events of one run; whatever goes wrong becomes a `failed` event. */
async function* events(
  run: PlannedRun,
  { variants, recipe }: ResolvedStudy,
  task: Task,
  signal: AbortSignal | undefined,
): AsyncGenerator<TrainEvent> {
  let model: Model | null = null
  let step = 0
  const variant = variants.find(({ name }) => name === run.variant) as ResolvedStudy['variants'][number]
  try {
    model = createModel(task.model(variant.block, variant.size), task.input, run.seed)
    for await (const event of train({ model, task, recipe, seed: run.seed, signal })) {
      if (event.type === 'step') step = event.step
      yield event
    }
  } catch (error) {
    const cell = provenanceOf(variant.block.origin)?.cell
    yield { type: 'failed', step, message: messageOf(cell ? locate(error, cell) : error) }
  } finally {
    model?.dispose()
  }
}

/**
 * Passes events on and writes them to the store: steps and metrics several at a time, all else at once. Checkpoints are
 * passed on without their bytes. A run that nobody listens to any more is recorded as interrupted.
 */
async function* recorded(id: number, source: AsyncGenerator<TrainEvent>, runs: RunStore): AsyncGenerator<TrainEvent> {
  let gathered: TrainEvent[] = []
  let since = performance.now()
  let last: TrainEvent | null = null
  const write = async () => {
    const batch = gathered
    gathered = []
    since = performance.now()
    if (batch.length > 0) await runs.record(id, batch)
  }
  try {
    for await (const event of source) {
      last = event
      gathered.push(event)
      const canWait = event.type === 'step' || event.type === 'metric'
      if (!canWait || performance.now() - since > GATHER) await write()
      yield event.type === 'checkpoint' ? { ...event, weights: new Uint8Array() } : event
    }
  } finally {
    if (last && !ENDINGS.has(last.type)) gathered.push({ type: 'interrupted', step: 'step' in last ? last.step : 0 })
    await write()
  }
}

const ENDINGS = new Set<TrainEvent['type']>(['done', 'failed', 'interrupted'])
