import BetterSqlite3 from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { errorLine } from '../../../../app/store/query/errorLine.ts'
import { messageOf } from '../../../../engine/errors.ts'

const database = new BetterSqlite3(':memory:')
database.exec('create table a (x); create table b (x)')
afterAll(() => database.close())

function complaint(sql: string): string | null {
  try {
    database.prepare(sql)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

it.each<[string, number | null]>([
  ['selec 1', 1],
  ['select x\nfrom a\nwher x = 1 order by x', 3],
  ['select 1 as a,\n\n  2 as b,\nfrom a', 4],
  ["select 'from' -- from\nfrom\nfrom a", 3],
  ['select x\nfrom a where (', 2],
  ['select x,\n y from a', 2],
  ["select 'y',\n y from a", 2],
  ['select 1\nfrom c', 2],
  ['select x\nfrom a, b', 1],
  ['select\nfoo(x) from a', 2],
  ['select 1,\n a.zz from a', 2],
  ['select max() from a', 1],
  ["select x from a\nwhere x = 'open", 2],
])('finds the line of what is wrong in %j', (sql, line) => {
  expect(errorLine(sql, complaint(sql) ?? '', complaint)).toBe(line)
})

it('finds nothing where the message names nothing', () => {
  expect(errorLine('select 1', 'database is locked', complaint)).toBe(null)
})
