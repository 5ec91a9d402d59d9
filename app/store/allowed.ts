import type { Database } from './database.ts'

/** Real paths outside the workspace whose files may be read. */
export function allowedPaths(database: Database): string[] {
  return database.all<{ path: string }>('select path from allowed_path order by path').map(({ path }) => path)
}

export function allowPath(database: Database, path: string): void {
  database.run('insert or ignore into allowed_path (path) values (?)', path)
}
