import type { Host } from '../../engine/host.ts'
import type { StoredRun, StoredRunDetails } from '../../engine/records/run.ts'

/** Runs that are compared at most. */
export const MAX_RUNS = 200

const STUDY = 'study:'

/** A part of a comparison: one run, or the runs of a study. */
export interface ComparedItem {
  /** As in the address: `12`, `study:gating`. */
  item: string
  runs: StoredRunDetails[]
}

/** Reads what is to be compared, all runs of the address in one call. Throws MixlabError `store` for an unknown run. */
export async function readItems(
  host: Pick<Host, 'listRuns' | 'showRun' | 'showRuns'>,
  items: string[],
): Promise<ComparedItem[]> {
  const found: { item: string; ids: number[] }[] = []
  let room = MAX_RUNS
  for (const item of items) {
    const ids = await idsOf(host, item)
    found.push({ item, ids: ids.slice(0, room) })
    room -= Math.min(room, ids.length)
  }
  const runs = new Map((await host.showRuns(found.flatMap(({ ids }) => ids))).map((run) => [run.id, run]))
  return found.map(({ item, ids }) => ({ item, runs: ids.flatMap((id) => runs.get(id) ?? []) }))
}

async function idsOf(host: Pick<Host, 'listRuns' | 'showRun'>, item: string): Promise<number[]> {
  if (item.startsWith(STUDY)) return newest(await host.listRuns({ study: item.slice(STUDY.length) }))
  return [/^\d{1,15}$/.test(item) ? Number(item) : (await host.showRun(item)).id]
}

/** The runs of all items, each once. */
export function itemRuns(items: readonly ComparedItem[]): StoredRunDetails[] {
  const runs = new Map(items.flatMap((item) => item.runs.map((run) => [run.id, run])))
  return [...runs.values()]
}

/** The ids of the newest run of each variant and seed that is finished, or else in training, not archived ones before. */
function newest(runs: readonly StoredRun[]): number[] {
  const best = new Map<string, StoredRun>()
  const rank = ({ status, id, archived }: StoredRun) =>
    ((archived ? 0 : 3) + (status === 'done' ? 2 : status === 'running' ? 1 : 0)) * 1e12 + id
  for (const run of runs) {
    const name = JSON.stringify([run.variant, run.seed])
    const known = best.get(name)
    if (!known || rank(run) > rank(known)) best.set(name, run)
  }
  return [...best.values()].sort((a, b) => a.id - b.id).map(({ id }) => id)
}
