import { MixlabError } from '../../../engine/errors.ts'
import type { Host } from '../../../engine/host.ts'

/** A host that describes itself, reads what is in `files`, and has nothing else. */
export function fakeHost(files: Record<string, Uint8Array> = {}): Host {
  return {
    describe: async () => ({ version: '0', workspace: '/workspace', notebook: 'first.ts' }),
    list: async () => Object.entries(files).map(([name, { length }]) => ({ name, kind: 'file', size: length })),
    async read(path) {
      const bytes = files[path]
      if (!bytes) throw new MixlabError('data', path, 'there is no such file')
      return bytes
    },
    listNotebooks: async () => ['first.ts'],
    readNotebook: async (name) => ({ name, text: '', revision: '0' }),
    writeNotebook: async () => '1',
    renameNotebook: async () => {},
    listVersions: async () => [],
    readVersion: async () => '',
    readOutputs: async () => [],
    writeOutput: async () => {},
    findDone: async () => [],
    findResumable: async () => [],
    readState: async () => null,
    beginRun: async () => 1,
    record: async () => {},
    listRuns: async () => [],
    queryRuns: async () => ({ total: 0, rows: [] }),
    groupRuns: async () => ({ total: 0, rows: [] }),
    runFields: async () => ({ facts: [], options: [], metrics: [], meanings: {}, tags: [], studies: [] }),
    tagRuns: async () => {},
    noteRun: async () => {},
    archiveRuns: async () => {},
    pinBaseline: async () => {},
    baselines: async () => ({}),
    showRun: async (reference) => {
      throw new MixlabError('store', reference, 'there is no such run')
    },
    showRuns: async () => [],
    readSeries: async () => [],
    readBands: async () => [],
    readReport: async () => null,
    readWeights: async () => new Uint8Array(),
    listWeights: async () => [],
    listHistograms: async () => [],
    readHistograms: async () => [],
    querySql: async () => ({ columns: [], rows: [], truncated: false }),
    cancelSql: async () => {},
    allowData: async () => {},
  }
}
