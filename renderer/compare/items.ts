import type { Host, StoredRunDetails } from '../../engine/host.ts'
import type { StoredRun } from '../../engine/study/types.ts'

/** Runs that are compared at most. */
export const MOST = 200

const STUDY = 'study:'

/** A part of a comparison: one run, or the runs of a study. */
export interface ComparedItem {
  /** As in the address: `12`, `study:gating`. */
  item: string
  runs: StoredRunDetails[]
}

/** Reads what is to be compared. Throws MixlabError `store` for an unknown run. */
export async function readItems(host: Pick<Host, 'listRuns' | 'showRun'>, items: string[]): Promise<ComparedItem[]> {
  const found: ComparedItem[] = []
  let room = MOST
  for (const item of items) {
    const ids = item.startsWith(STUDY) ? newest(await host.listRuns({ study: item.slice(STUDY.length) })) : [item]
    const runs = await Promise.all(ids.slice(0, room).map((id) => host.showRun(String(id))))
    room -= runs.length
    found.push({ item, runs })
  }
  return found
}

/** The runs of all items, each once. */
export function runsOf(items: readonly ComparedItem[]): StoredRunDetails[] {
  const runs = new Map(items.flatMap((item) => item.runs.map((run) => [run.id, run])))
  return [...runs.values()]
}

/** The ids of the newest run of each variant and seed that is finished, or else in training, seed by seed. */
function newest(runs: readonly StoredRun[]): number[] {
  const best = new Map<string, StoredRun>()
  const rank = ({ status, id }: StoredRun) => (status === 'done' ? 2 : status === 'running' ? 1 : 0) * 1e12 + id
  for (const run of runs) {
    const name = JSON.stringify([run.variant, run.seed])
    const known = best.get(name)
    if (!known || rank(run) > rank(known)) best.set(name, run)
  }
  return [...best.values()].sort((a, b) => a.id - b.id).map(({ id }) => id)
}
