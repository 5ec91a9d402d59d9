import { onTestFinished } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { freshFolder, storeAt } from '../samples.ts'

/** A store opened twice, as by two processes; closed after the test. */
export function stores(): [Store, Store] {
  const folder = freshFolder()
  const both: [Store, Store] = [storeAt(folder), storeAt(folder)]
  onTestFinished(() => {
    for (const store of both) store.close()
  })
  return both
}
