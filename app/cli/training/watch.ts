import type { StoredRun } from '../../../engine/records/run.ts'
import { metricTitle } from '../../../engine/records/splits.ts'
import { waited } from '../../../engine/study/waited.ts'
import type { LocalHost } from '../../host.ts'
import type { Terminal } from '../command.ts'

const LOOK = 500 // ms

/**
 * Tells of the runs that are in training in the workspace, by whichever page or process, until Ctrl-C: a line when one
 * begins and when it ends, and how far they are on a line that moves. As JSON a line for each change of a run.
 */
export async function watchRuns(
  host: LocalHost,
  study: string | undefined,
  json: boolean,
  to: Terminal,
): Promise<void> {
  let before = new Map<number, StoredRun>()
  while (!to.signal.aborted) {
    const { running } = await host.listLive()
    const now = new Map(running.flatMap((run) => (study === undefined || run.study === study ? [[run.id, run]] : [])))
    const ended = await host.showRuns([...before.keys()].filter((id) => !now.has(id)))
    const changed = [...now.values()].filter(({ id, step }) => before.get(id)?.step !== step)
    if (json) for (const run of [...ended.map(stored), ...changed]) to.out(JSON.stringify(run))
    else {
      for (const run of changed) if (!before.has(run.id)) to.out(`${nameOf(run)}: in training on ${run.backend}`)
      for (const run of ended) to.out(`${nameOf(run)}: ${endOf(run)}`)
      to.redraw?.([...now.values()].map(progressOf).join('  '))
    }
    before = now
    await waited(LOOK, to.signal)
  }
  to.redraw?.('')
}

const nameOf = ({ id, study, variant, seed }: StoredRun) => `run ${id}, ${study}: ${variant}, seed ${seed}`

const progressOf = ({ id, step, steps }: StoredRun) => `run ${id} ${steps > 0 ? `${step}/${steps}` : 'starting'}`

function endOf({ status, error, step, metrics }: StoredRun): string {
  if (status === 'failed') return `failed: ${error}`
  if (status !== 'done') return `${status} at step ${step}`
  const [name, summary] = Object.entries(metrics).find(([, { meaning }]) => meaning?.compared) ?? []
  return name && summary ? `done, ${metricTitle(name)} ${summary.last.toFixed(4)}` : 'done'
}

/** A run without the texts that only its page needs. */
function stored({ spec: _, code: __, ...run }: Awaited<ReturnType<LocalHost['showRuns']>>[number]): StoredRun {
  return run
}
