import { importFolders } from '../journal/import.ts'
import { openStore } from '../store/index.ts'
import { openWorkspace } from '../workspace/index.ts'
import { type CliCommand, EXIT, workspaceOf } from './command.ts'
import { linesOf } from './training/imported.ts'

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
