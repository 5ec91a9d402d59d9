import { onTestFinished } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import type { RunStart } from '../../../engine/records/run.ts'
import { begun, freshWorkspace, sampleRun, storeAt } from './samples.ts'

/** The store of the workspace at `folder`, closed after the test. */
export function storeIn(folder: string): Store {
  const store = storeAt(folder)
  onTestFinished(() => store.close())
  return store
}

/** The store of a new workspace, closed after the test. */
export const freshStore = (): Store => storeIn(freshWorkspace())

/** A new store with a run in training. */
export function trainingStore(changes?: Partial<RunStart>): { folder: string; store: Store; id: number } {
  const folder = freshWorkspace()
  const store = storeIn(folder)
  return { folder, store, id: begun(store.beginRun(sampleRun(changes))) }
}

/** A store opened twice, as by two processes; closed after the test. */
export function stores(): [Store, Store] {
  const folder = freshWorkspace()
  return [storeIn(folder), storeIn(folder)]
}
