import type { connectDatabase, Database } from '../../app/store/database.ts'
import { MixlabError } from '../../engine/errors.ts'

let failsAt: number | null = null
let count = 0

/** Databases that fail when they are told to. */
export const databases = {
  /** Before each transaction that writes. */
  beforeWrite: (): void => {},

  /** Does `work`, in which change `at` finds the disk full; commits count, too. Returns what it threw, or null. */
  failing(at: number, work: () => void): unknown {
    failsAt = at
    count = 0
    try {
      work()
      return null
    } catch (error) {
      return error
    } finally {
      failsAt = null
    }
  },

  /** How many changes `work` makes. */
  changesIn(work: () => void): number {
    count = 0
    work()
    return count
  },
}

function change(path: string): void {
  if (count++ === failsAt) throw new MixlabError('store', path, 'cannot grow: the disk is full')
}

/** `connectDatabase` with that: to be mocked. */
export function failingConnect(connect: typeof connectDatabase): typeof connectDatabase {
  return (path) => {
    const database = connect(path)
    const failing: Database = {
      ...database,
      run(sql, ...values) {
        change(path)
        return database.run(sql, ...values)
      },
      write(work) {
        databases.beforeWrite()
        return database.write(() => {
          const result = work()
          change(path)
          return result
        })
      },
    }
    return failing
  }
}
