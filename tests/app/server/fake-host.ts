import { callsOf } from '../../../engine/call.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { type Host, hostCalls } from '../../../engine/host.ts'

/** A host that describes itself, reads what is in `files`, begins runs, and has nothing else. */
export function fakeHost(files: Record<string, Uint8Array> = {}): Host {
  return {
    ...callsOf(hostCalls, (name) => {
      throw new MixlabError('store', name, 'this host has none')
    }),
    describe: async () => ({ version: '0', workspace: '/workspace', notebook: 'first.ts' }),
    list: async () => Object.entries(files).map(([name, { length }]) => ({ name, kind: 'file', size: length })),
    async read(path) {
      const bytes = files[path]
      if (!bytes) throw new MixlabError('data', path, 'there is no such file')
      return bytes
    },
    listNotebooks: async () => ['first.ts'],
    beginRun: async () => ({ id: 1, epoch: 1 }),
    record: async () => ({ ms: 0, stop: false }),
  }
}
