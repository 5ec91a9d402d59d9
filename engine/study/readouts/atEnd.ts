import { LostDevice, MixlabError, messageOf } from '../../errors.ts'
import { createModel } from '../../nn/model.ts'
import { createReader, type ReadoutResult } from '../../readouts/reader.ts'
import type { PlannedRun, StoredRun, StudyEvent } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import { loadWeights } from '../../weights/model.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { explained } from './explain.ts'
import type { StudyReadout } from './study.ts'

/** What computing read-outs needs from around it; each as `StudyEnvironment` has it. */
interface Surroundings {
  runs: Pick<RunStore, 'showReadouts' | 'keepReadout' | 'findDone' | 'readWeights'>
  signal: AbortSignal
  lost?: ((failure: string | null) => Promise<string | null>) | undefined
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
  const warned = new Set<string>()
  for (const run of await runs.findDone(keys)) {
    if (signal.aborted) return
    const has = ({ metric }: StudyReadout) => shown.some((each) => each.run === run.id && each.metric === metric)
    const missing = open.readouts.filter((each) => !has(each))
    const variant = variantOf(open, planned, run)
    if (missing.length === 0 || !variant) continue
    for await (const { asked, result } of readRun(run, variant, missing, runs)) {
      const { readout, metric, digest } = asked
      const loss = (await lost?.(null)) ?? null
      if (loss) throw new LostDevice(loss)
      const { value, problem, test } = result
      if (problem !== null) {
        const message = explained(readout, open.study, problem)
        if (!warned.has(message)) yield { type: 'warning', message }
        warned.add(message)
      }
      if (problem !== null && typeof problem !== 'string') continue // it is tried again: data may have been missing
      const { key, id } = run
      const summary = await kept(runs, id, { metric, digest, value, test, meaning: readout.meaning })
      if (typeof summary === 'string') yield { type: 'warning', message: summary }
      else yield { type: 'readout', key, id, metric, summary }
    }
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

function variantOf({ variants }: OpenStudy, planned: readonly PlannedRun[], { key }: StoredRun) {
  const run = planned.find((each) => each.key === key)
  return variants.find(({ name }) => name === run?.variant)
}

/** The read-outs of one run, whose model is made once. */
async function* readRun(
  { id, seed }: StoredRun,
  { opened: task, block, size }: OpenVariant,
  missing: readonly StudyReadout[],
  runs: Surroundings['runs'],
): AsyncGenerator<{ asked: StudyReadout; result: ReadoutResult }> {
  // where no weights were better than others, the test was made with the last ones
  const weights = await runs.readWeights(id, 'best').catch(() => runs.readWeights(id, 'last'))
  const forward = task.model(block, size)
  const model = createModel(forward, task.input, seed)
  const reader = createReader({ model, forward, task, tests: true })
  try {
    loadWeights(model.parameters, weights, `run ${id}`)
    for (const asked of missing) yield { asked, result: await reader.read(asked.readout) }
  } finally {
    reader.dispose()
    model.dispose()
  }
}
