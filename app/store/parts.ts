import type { Database } from './database.ts'
import type { Objects } from './objects.ts'
import type { Owners } from './training/owners.ts'

/** An open store as its calls have it: the database, and what lies beside it. */
export interface StoreParts extends Database {
  objects: Objects
  owners: Owners
}
