import { lastBackend } from '../../records/backends.ts'
import type { RunStatus } from '../../records/run.ts'
import { plural } from '../statistics/index.ts'

/** Runs of a study that another backend trained than the one that would train them now. */
export interface OtherBackendRuns<Run> {
  runs: Run[]
  /** The backends that trained them. */
  backends: string[]
  /** `4 of 6 runs were trained on webgl`. */
  text: string
}

/** The fields of a run that say which backend trained it. */
interface TrainedRun {
  status: RunStatus | 'waiting'
  backend: string
}

/** Those runs of a study that were interrupted on another backend than `backend`: `2 runs interrupted on webgl`. */
export function interruptedOnOtherBackend<Run extends TrainedRun>(
  runs: readonly Run[],
  backend: string,
): OtherBackendRuns<Run> | null {
  const found = runs.filter((run) => run.status === 'interrupted' && lastBackend(run.backend) !== backend)
  if (found.length === 0) return null
  const backends = [...new Set(found.map((run) => lastBackend(run.backend)))]
  return { runs: found, backends, text: `${plural(found.length, 'run')} interrupted on ${backends.join(' and ')}` }
}

/** Which of the complete runs of a study were trained on another backend than `backend`; null where none was. */
export function trainedOnOtherBackend<Run extends TrainedRun>(
  runs: readonly Run[],
  backend: string,
): OtherBackendRuns<Run> | null {
  const others = runs.filter((run) => run.status === 'done' && run.backend !== '' && run.backend !== backend)
  if (others.length === 0) return null
  const counts = [...Map.groupBy(others, (run) => run.backend)]
  const [[first = '', { length = 0 } = []] = [], ...more] = counts
  const all = `${length} of ${runs.length} ${runs.length === 1 ? 'run' : 'runs'} ${length === 1 ? 'was' : 'were'}`
  const rest = more.map(([name, own]) => `, ${own.length} on ${name}`).join('')
  return { runs: others, backends: counts.map(([name]) => name), text: `${all} trained on ${first}${rest}` }
}
