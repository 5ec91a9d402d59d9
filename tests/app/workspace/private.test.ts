import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { begun, freshFolder, sampleRun, storeAt } from '../store/samples.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

it.skipIf(process.platform === 'win32')(
  'keeps what is in .mixlab from other users, also of a workspace from before',
  () => {
    const folder = freshFolder()
    const { inner } = openWorkspace(folder)
    expect(modeOf(inner)).toBe(0o700)
    storeAt(folder).close()
    chmodSync(inner, 0o755)
    chmodSync(join(inner, 'mixlab.db'), 0o644)

    const store = storeAt(folder)
    const id = begun(store.beginRun(sampleRun()))
    const weights = new Uint8Array(9)
    store.record(id, [
      { type: 'start', steps: 9, parameters: 7, resumedAt: 0 },
      { type: 'checkpoint', step: 1, weights, state: weights },
    ])
    expect(modeOf(inner)).toBe(0o700)
    const databases = readdirSync(inner).filter((name) => name.startsWith('mixlab.db'))
    expect(databases.map((name) => [name, modeOf(join(inner, name))])).toEqual(databases.map((name) => [name, 0o600]))
    const objects = join(inner, 'objects')
    const [shelf = ''] = readdirSync(objects)
    for (const name of readdirSync(join(objects, shelf))) expect(modeOf(join(objects, shelf, name))).toBe(0o600)
    store.close()
  },
)
