import { MixlabError } from '../../engine/errors.ts'
import type { Database } from './database.ts'

// 'Mixl'; tells a store from the databases of other programs.
const applicationId = 0x4d69786c

/**
 * Brings a store to the newest version, each step in a transaction of its own, or all in one where it is new; `finish` belongs
 * to the last one. A step is SQL alone, so that what it does cannot change with the program.
 * Throws MixlabError `store` for a store that is newer than this program, and for a database that is no store.
 */
export function migrate(database: Database, steps: readonly string[], finish = (_: Database) => {}): void {
  let version = checkVersion(database, steps.length)
  while (version < steps.length) {
    database.write(() => {
      // Another process may have come first.
      version = checkVersion(database, steps.length)
      for (const step of version === 0 ? steps : steps.slice(version, version + 1)) {
        database.execute(step)
        version += 1
        if (version === steps.length) finish(database)
        database.execute(`pragma application_id = ${applicationId}; pragma user_version = ${version}`)
      }
    })
  }
}

function checkVersion(database: Database, newest: number): number {
  const version = database.pragma('user_version')
  const blank = version === 0 && !database.get('select 1 from sqlite_schema limit 1')
  if (!blank && database.pragma('application_id') !== applicationId) {
    throw new MixlabError('store', database.path, 'is a database of another program')
  }
  if (version > newest) {
    const versions = `its version is ${version}, this program knows up to ${newest}`
    throw new MixlabError('store', database.path, `was made by a newer mixlab: ${versions}`)
  }
  return version
}
