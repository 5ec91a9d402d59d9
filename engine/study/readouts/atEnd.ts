import { LostDevice, MixlabError, messageOf } from '../../errors.ts'
import { createModel } from '../../nn/model.ts'
import { createReader, type ReadoutResult } from '../../readouts/reader.ts'
import type { PlannedRun, StoredRun, StudyEvent } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import { loadWeights } from '../../weights/model.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { completeSeeds, seedReader } from './atEndTogether.ts'
import { explained } from './explain.ts'
import type { StudyReadout } from './study.ts'

/** What computing read-outs needs from around it; each as `StudyEnvironment` has it. */
interface Surroundings {
  runs: Pick<RunStore, 'showReadouts' | 'keepReadout' | 'findDone' | 'readWeights' | 'readSeries'>
  signal: AbortSignal
  lost?: ((failure: string | null) => Promise<string | null>) | undefined
}

/** What a read-out gave for a run. */
interface Read {
  run: StoredRun
  asked: StudyReadout
  result: ReadoutResult
}

/**
 * Computes the read-outs of the end of a study that the store does not have for its runs, from the weights that were
 * tested, and keeps them; of runs of earlier days, too. What cannot be computed becomes a warning, and is tried again with
 * the study. Throws LostDevice where the device is lost: nothing is kept of that time.
 */
export async function* readRuns(
  open: OpenStudy,
  planned: readonly PlannedRun[],
  { runs, signal, lost }: Surroundings,
): AsyncGenerator<StudyEvent> {
  if (open.readouts.length === 0) return
  const keys = [...new Set(planned.map(({ key }) => key))]
  const names = open.readouts.map(({ metric, digest }) => ({ metric, digest }))
  const shown = await runs.showReadouts(keys, names)
  const done = await runs.findDone(keys)
  const isMissing = ({ id }: StoredRun, { metric }: StudyReadout) =>
    !shown.some((each) => each.run === id && each.metric === metric)
  const warned = new Set<string>()
  for await (const { run, asked, result } of allRead(open, done, isMissing, runs)) {
    const { readout, metric, digest } = asked
    const loss = (await lost?.(null)) ?? null
    if (loss) throw new LostDevice(loss)
    const { value, problem, test } = result
    const message = problem === null ? null : explained(readout, open.study, problem)
    if (message !== null && !warned.has(message)) yield { type: 'warning', message }
    if (message !== null) warned.add(message)
    // what was thrown is tried again: data may have been missing
    if (problem === null || typeof problem === 'string') {
      const { key, id } = run
      const summary = await kept(runs, id, { metric, digest, value, test, meaning: readout.meaning })
      if (typeof summary === 'string') yield { type: 'warning', message: summary }
      else yield { type: 'readout', key, id, metric, summary }
    }
    if (signal.aborted) return
  }
}

/** Keeps a value; returns why the store refuses it, if it does. */
async function kept(runs: Surroundings['runs'], id: number, value: Parameters<RunStore['keepReadout']>[1]) {
  try {
    return await runs.keepReadout(id, value)
  } catch (error) {
    if (error instanceof MixlabError && error.code === 'store') return messageOf(error)
    throw error
  }
}

/** Read-outs run by run, and then those of the runs of a seed together, where any of them is missing. */
async function* allRead(
  open: OpenStudy,
  done: readonly StoredRun[],
  isMissing: (run: StoredRun, asked: StudyReadout) => boolean,
  runs: Surroundings['runs'],
): AsyncGenerator<Read> {
  for (const run of done) {
    const missing = open.readouts.filter((each) => !each.readout.together && isMissing(run, each))
    const planned = open.planned.find(({ key }) => key === run.key)
    const variant = open.variants.find(({ name }) => name === planned?.variant)
    if (missing.length > 0 && variant) yield* readRun(run, variant, missing, runs)
  }
  for (const seed of completeSeeds(open, done)) {
    const read = seedReader(seed, runs)
    for (const asked of open.readouts) {
      const { together } = asked.readout
      if (!together || !seed.some(({ run }) => isMissing(run, asked))) continue
      for (const [i, result] of (await read(together)).entries())
        yield { run: seed[i]?.run as StoredRun, asked, result }
    }
  }
}

/** The read-outs of one run, whose model is made once. */
async function* readRun(
  run: StoredRun,
  { opened: task, block, size }: OpenVariant,
  missing: readonly StudyReadout[],
  runs: Surroundings['runs'],
): AsyncGenerator<Read> {
  const { id, seed } = run
  // where no weights were better than others, the test was made with the last ones
  const weights = await runs
    .readWeights(id, 'best')
    .catch(() => runs.readWeights(id, 'last'))
    .catch((thrown: unknown) => ({ thrown }))
  if ('thrown' in weights) {
    for (const asked of missing) yield { run, asked, result: { value: Number.NaN, problem: weights, test: false } }
    return
  }
  const forward = task.model(block, size)
  const model = createModel(forward, task.input, seed)
  const reader = createReader({ model, forward, task, tests: true })
  try {
    loadWeights(model.parameters, weights, `run ${id}`)
    for (const asked of missing) yield { run, asked, result: await reader.read(asked.readout) }
  } finally {
    reader.dispose()
    model.dispose()
  }
}
