import { plural } from '../../../engine/study/statistics/index.ts'
import { type Imported, importFolders } from '../../journal/import.ts'
import { openStore } from '../../store/index.ts'
import { openWorkspace } from '../../workspace/index.ts'
import { type CliCommand, EXIT, workspaceOf } from '../command.ts'

/** Lines about runs that were left, at most. */
const MOST_LEFT = 10

export const importRuns: CliCommand = {
  name: 'import',
  synopsis: '<folder>...',
  summary: 'take what is new of the runs in journals, of other machines or of a cluster, into the store',
  words: [1, Number.POSITIVE_INFINITY],
  options: {},
  run: async (given, output) => {
    const store = openStore(openWorkspace(workspaceOf(given)))
    try {
      const imported = importFolders(store, given.words)
      if (given.options.json) output.out(JSON.stringify(imported))
      else for (const line of linesOf(imported)) output.out(line)
      for (const why of imported.refused) output.err(`mixlab: ${why}`)
      return imported.refused.length > 0 ? EXIT.runsFailed : 0
    } finally {
      store.close()
    }
  },
}

/** What an import has come to, in words. */
export function linesOf({ journals, taken, done, known, left }: Imported): string[] {
  const lines = left
    .slice(0, MOST_LEFT)
    .map(({ study, variant, seed, why }) => `${study}, ${variant}, seed ${seed}: ${why}`)
  const more = left.length - lines.length
  return [
    `${plural(journals, 'journal')}: ${plural(taken, 'run')} taken, ${done} of them done; ${known} known already`,
    ...(left.length > 0
      ? [`${plural(left.length, 'run')} left for another time:`, ...lines.map((line) => `  ${line}`)]
      : []),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
