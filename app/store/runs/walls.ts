import { MixlabError, suggest } from '../../../engine/errors.ts'
import type { KeptWall, Wall } from '../../../engine/runs/wall.ts'
import type { Database } from '../database.ts'

const LONGEST = 60 // characters of a name

/** The walls of the workspace, by name. */
export function listWalls(database: Database): KeptWall[] {
  const rows = database.all<{ name: string; revision: number; wall: string }>(
    'select name, revision, wall from wall order by name collate nocase, name',
  )
  return rows.map(({ wall, ...row }) => ({ ...row, wall: JSON.parse(wall) as Wall }))
}

/** Keeps a wall in place of the one of a revision, or of none, and returns its new revision; see `Host.keepWall`. */
export function keepWall(database: Database, name: string, wall: Wall, revision: number | null): number {
  checkName(name)
  return database.write(() => {
    const known = revisionOf(database, name)
    if (known !== revision) {
      if (revision === null) throw taken(name)
      throw new MixlabError(
        'option',
        name,
        known === null ? 'this wall was removed or renamed' : 'this wall was changed elsewhere',
      )
    }
    const next = (revision ?? 0) + 1
    database.run(
      'insert or replace into wall (name, revision, wall) values (?, ?, ?)',
      name,
      next,
      JSON.stringify(wall),
    )
    return next
  })
}

/** Gives a wall another name. Throws MixlabError `option` for an unknown one, and for a name that is taken or cannot be. */
export function renameWall(database: Database, from: string, to: string): void {
  checkName(to)
  database.write(() => {
    if (revisionOf(database, from) === null) {
      const names = listWalls(database).map(({ name }) => name)
      throw new MixlabError('option', from, names.length > 0 ? `no such wall${suggest(from, names)}` : 'no such wall')
    }
    if (from === to) return
    if (revisionOf(database, to) !== null) throw taken(to)
    database.run('update wall set name = ? where name = ?', to, from)
  })
}

export function removeWall(database: Database, name: string): void {
  database.run('delete from wall where name = ?', name)
}

function revisionOf(database: Database, name: string): number | null {
  return database.get<{ revision: number }>('select revision from wall where name = ?', name)?.revision ?? null
}

function taken(name: string): MixlabError {
  return new MixlabError('option', name, 'there is a wall of this name already')
}

function checkName(name: string): void {
  if (name.trim() === name && name !== '' && name.length <= LONGEST) return
  const allowed = `up to ${LONGEST} characters, without spaces at the ends`
  throw new MixlabError('option', 'name', `'${name}' is no name of a wall: allowed are ${allowed}`)
}
