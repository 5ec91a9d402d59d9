import type { Database } from './database.ts'
import type { Objects } from './objects.ts'
import type { Owners } from './training/owners.ts'

/** What questions to a store need of it: the database, and the objects beside it. */
export interface ReadParts extends Database {
  objects: Objects
}

/** An open store as its calls have it: the database, and what lies beside it. */
export interface StoreParts extends ReadParts {
  owners: Owners
}
