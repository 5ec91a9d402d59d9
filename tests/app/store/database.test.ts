import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../../app/store/open.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { trainingStore } from './openedStores.ts'
import { freshFolder, metricEvents } from './samples.ts'

function thrownBy(work: () => unknown): MixlabError {
  try {
    work()
  } catch (error) {
    if (error instanceof MixlabError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

let made: string | null = null
/** A copy of the database file of a closed store with some hundred pages, which is made once. */
function filledFile(): string {
  const copy = join(freshFolder(), 'mixlab.db')
  if (made === null) {
    const { folder, store, id } = trainingStore()
    store.record(id, metricEvents('loss', 0, 20_000))
    store.close()
    made = join(folder, '.mixlab/mixlab.db')
  }
  copyFileSync(made, copy)
  return copy
}

describe('openDatabase', () => {
  it('rejects a file that is no database, and leaves it as it was', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const text = 'these are my notes, please keep them\n'.repeat(100)
    writeFileSync(path, text)
    const error = thrownBy(() => openDatabase(path))
    expect(error.code).toBe('store')
    expect(error.message).toBe(`${path}: is not a mixlab database`)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('rejects a database of another program, and leaves it as it was', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const other = new BetterSqlite3(path)
    other.exec('create table recipe (name text)')
    other.close()
    const before = readFileSync(path)
    const { code, message } = thrownBy(() => openDatabase(path))
    expect([code, message]).toEqual(['store', `${path}: is a database of another program`])
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('rejects a database of another program that has no table yet', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const other = new BetterSqlite3(path)
    other.pragma('user_version = 1')
    other.close()
    expect(thrownBy(() => openDatabase(path)).message).toBe(`${path}: is a database of another program`)
  })

  it('lets go of a file that it rejects', () => {
    const path = join(freshFolder(), 'mixlab.db')
    writeFileSync(path, 'notes\n'.repeat(1000))
    const close = vi.spyOn(BetterSqlite3.prototype, 'close')
    thrownBy(() => openDatabase(path))
    expect(close).toHaveBeenCalledTimes(1)
    close.mockRestore()
  })

  it('rejects a store from a newer version, naming both versions', () => {
    const path = filledFile()
    const raw = new BetterSqlite3(path)
    raw.pragma('user_version = 999')
    raw.close()
    const error = thrownBy(() => openDatabase(path))
    expect(error.code).toBe('store')
    expect(error.message).toMatch(/newer mixlab: its version is 999, this program knows up to \d+$/)
  })

  it.each([10, 50, 100, 4096, 30_000, 4096 * 9])('rejects a file cut after %i bytes', (length) => {
    const path = filledFile()
    truncateSync(path, length)
    const error = thrownBy(() => openDatabase(path))
    expect(error.code).toBe('store')
    expect(error.message).toMatch(/is damaged|is not a mixlab database/)
    expect(error.path).toBe(path)
  })

  it('says that a folder in the place of the file cannot be opened', () => {
    const path = join(freshFolder(), 'mixlab.db')
    mkdirSync(path)
    expect(thrownBy(() => openDatabase(path)).message).toBe(`${path}: cannot be opened`)
  })

  it('keeps nothing of a transaction that throws', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    expect(() =>
      database.write(() => {
        database.run('insert into allowed_path values (?)', '/data')
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(database.all('select * from allowed_path')).toEqual([])
    database.close()
  })

  it('reads one state, whatever others write meanwhile', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const [database, other] = [openDatabase(path), openDatabase(path)]
    const paths = () => database.all('select path from allowed_path')
    database.read(() => {
      expect(paths()).toEqual([])
      other.run("insert into allowed_path values ('/data')")
      expect(paths()).toEqual([])
    })
    expect(paths()).toEqual([{ path: '/data' }])
    database.close()
  })

  it('holds foreign keys and syncs every commit', () => {
    const path = join(freshFolder(), 'mixlab.db')
    // a file that is in WAL mode already is synced less by default
    for (let time = 0; time < 2; time++) {
      const database = openDatabase(path)
      expect(database.pragma('foreign_keys')).toBe(1)
      expect(database.pragma('synchronous')).toBe(2)
      expect(database.get('pragma journal_mode')).toEqual({ journal_mode: 'wal' })
      database.close()
    }
  })

  it('waits half a minute for another process that writes', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    expect(database.pragma('busy_timeout')).toBe(30_000)
    database.close()
  })

  it('prepares a statement once, until it is told to forget', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    expect(database.statements()).toEqual([])
    const prepare = vi.spyOn(BetterSqlite3.prototype, 'prepare')
    for (let time = 0; time < 3; time++) database.get('select 1')
    expect(database.statements()).toEqual(['select 1'])
    expect(prepare).toHaveBeenCalledTimes(1)
    database.forget()
    expect(database.statements()).toEqual([])
    database.all('select 1')
    expect(prepare).toHaveBeenCalledTimes(2)
    prepare.mockRestore()
    database.close()
  })

  it('says that it is closed when it is', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    database.close()
    const { code, message } = thrownBy(() => database.get('select 1'))
    expect(code).toBe('store')
    expect(message).toMatch(/mixlab\.db: is closed$/)
  })

  it('says that it cannot be written to when it may only be read', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    database.execute('pragma query_only = on')
    const error = thrownBy(() => database.run('insert into allowed_path values (?)', '/data'))
    expect(error.code).toBe('store')
    expect(error.message).toMatch(/cannot be written to$/)
    database.close()
  })
})
