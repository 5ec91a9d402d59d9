import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../app/store/database.ts'
import { migrate } from '../../../app/store/migrate.ts'
import { migrations } from '../../../app/store/migrations/index.ts'
import { freshFolder } from './samples.ts'

const more = [...migrations, 'create table extra (a)', 'create table another (b); insert into another values (1)']

function tables(database: Database): string[] {
  const rows = database.all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
  return rows.map((row) => row.name)
}

describe('migrate', () => {
  it('brings a store through every version to the newest, once', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    expect(database.pragma('user_version')).toBe(migrations.length)
    migrate(database, more)
    migrate(database, more)
    expect(database.pragma('user_version')).toBe(more.length)
    expect(tables(database)).toEqual(expect.arrayContaining(['another', 'extra', 'run']))
    expect(database.all('select b from another')).toEqual([{ b: 1 }])
    database.close()
  })

  it('keeps the version before a step that fails, and nothing of the step', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    const before = tables(database)
    const broken = [...migrations, 'create table half (a); insert into nowhere values (1)']
    expect(() => migrate(database, broken)).toThrow(/no such table: nowhere/)
    expect(database.pragma('user_version')).toBe(migrations.length)
    expect(tables(database)).toEqual(before)
    database.close()
  })

  it('rejects a store that a longer list has made', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const database = openDatabase(path)
    migrate(database, more)
    database.close()
    expect(() => openDatabase(path)).toThrow(
      `its version is ${more.length}, this program knows up to ${migrations.length}`,
    )
  })
})
