import { columnScatter } from '../../../engine/charts/wall/columnScatter.ts'
import { groupCurves } from '../../../engine/charts/wall/groupCurves.ts'
import type { GroupedRun } from '../../../engine/charts/wall/groups.ts'
import { groupValues } from '../../../engine/charts/wall/groupValues.ts'
import type { CurvesQuery } from '../../../engine/runs/curves.ts'
import { MEANINGS } from '../../meanings.ts'
import { type Entry, entry, type Source } from '../entry.ts'

const ACCURACY = 'test/accuracy'
const LOSS = 'train/loss'

/** Groups in the order of their colours. */
const looksOf = (names: string[]) => ({ placeOf: (name: string) => names.indexOf(name), hidden: new Set<string>() })

/** The runs of the wall of recipes, by block and rate. */
async function rows(source: Source): Promise<GroupedRun[]> {
  const runs = await source.runsOf('recipe ')
  return runs.map(({ id, study, variant, seed, status, parameters, metrics }) => ({
    ...{ run: id, study, variant, seed, status, group: `${variant}, ${study.split(' ')[1]}` },
    values: { parameters, [ACCURACY]: metrics[ACCURACY]?.last ?? null, [LOSS]: metrics[LOSS]?.last ?? null },
  }))
}

const groupsOf = (runs: GroupedRun[]) => [...new Set(runs.map(({ group }) => group))].sort()

function curves(
  name: string,
  query: Partial<CurvesQuery>,
  options: { smoothing?: number; logX?: boolean } = {},
): Entry {
  return entry('wall/groupCurves', name, async (source, style) => {
    const all = { filter: '', metric: LOSS, x: 'step', logX: false, buckets: 160 } as const
    const found = await source.host.readCurves({ ...all, by: ['variant'], lines: [], ...query })
    const { x = 'step', metric = LOSS } = query
    const looks = looksOf(found.groups.map((group) => group.name))
    return groupCurves(found, { metric, meaning: MEANINGS[metric], x, band: 'sd', ...options, ...looks }, style)
  })
}

export const wall: Entry[] = [
  curves('all runs of the gallery by variant', {}),
  curves('of one study over epochs, with two runs on top', { filter: 'study:mixing', x: 'epochs', lines: [1, 2] }),
  curves('by powers, smoothed', { filter: 'study:mixing', logX: true }, { smoothing: 0.8, logX: true }),
  entry('wall/groupValues', 'recipes by block and rate', async (source, style) => {
    const runs = await rows(source)
    return groupValues(runs, { metric: ACCURACY, meaning: MEANINGS[ACCURACY], ...looksOf(groupsOf(runs)) }, style)
  }),
  entry('wall/columnScatter', 'recipes by block and rate', async (source, style) => {
    const runs = await rows(source)
    const options = { metric: ACCURACY, meaning: MEANINGS[ACCURACY], x: LOSS, xMeaning: MEANINGS[LOSS], logX: true }
    return columnScatter(runs, { ...options, ...looksOf(groupsOf(runs)) }, style)
  }),
]
