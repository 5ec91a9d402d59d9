import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepVersion, listVersions, moveHistory, readVersion, superfluous } from '../../../app/workspace/history.ts'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { freshFolder } from '../store/samples.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const times = (workspace: ReturnType<typeof openWorkspace>, name: string) =>
  listVersions(workspace, name).map(({ at }) => at)

describe('versions', () => {
  it('are listed newest first and read by their time', () => {
    const workspace = openWorkspace(freshFolder())
    const now = Date.now()
    keepVersion(workspace, 'a.ts', 'one', now - 2000.5)
    keepVersion(workspace, 'a.ts', 'two', now - 1000)
    const [second = 0, first = 0] = times(workspace, 'a.ts')
    expect([first, second]).toEqual([Math.floor(now - 2000.5), now - 1000])
    expect([first, second].map((at) => readVersion(workspace, 'a.ts', at))).toEqual(['one', 'two'])
    expect(times(workspace, 'b.ts')).toEqual([])
  })

  it('of one time are all kept', () => {
    const workspace = openWorkspace(freshFolder())
    const now = Date.now()
    for (const text of ['one', 'two']) keepVersion(workspace, 'a.ts', text, now)
    expect(times(workspace, 'a.ts')).toEqual([now + 1, now])
  })

  it('are thinned out when one is kept', () => {
    const workspace = openWorkspace(freshFolder())
    const hour = Math.floor(Date.now() / HOUR) * HOUR
    for (const at of [hour - 3 * HOUR, hour - 3 * HOUR + 1, Date.now()]) keepVersion(workspace, 'a.ts', `${at}`, at)
    expect(times(workspace, 'a.ts').slice(1)).toEqual([hour - 3 * HOUR + 1])
  })

  it('are refused of unknown times and of what is no notebook', () => {
    const workspace = openWorkspace(freshFolder())
    expect(() => readVersion(workspace, 'a.ts', 5)).toThrow('a.ts: has no version of 5')
    expect(() => readVersion(workspace, 'a.ts', Number.NaN)).toThrow('has no version')
    for (const work of [() => listVersions(workspace, '../a.ts'), () => readVersion(workspace, '../a.ts', 5)])
      expect(work).toThrow('not a notebook name')
  })

  it('that cannot be read are named', () => {
    const workspace = openWorkspace(freshFolder())
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    mkdirSync(join(workspace.history, 'a.ts', '2026-01-02T03-04-05.678Z.ts'), { recursive: true })
    expect(times(workspace, 'a.ts')).toEqual([at])
    expect(() => readVersion(workspace, 'a.ts', at)).toThrow('a.ts: its version cannot be read: ')
    for (const time of [at, at + 1]) {
      expect(() => readVersion(workspace, 'a.ts', time)).toThrow(
        expect.objectContaining({ code: 'notebook', path: 'a.ts' }),
      )
    }
  })

  it('are not confused with other files of the folder', () => {
    const workspace = openWorkspace(freshFolder())
    keepVersion(workspace, 'a.ts', 'one', Date.now())
    for (const name of [
      'notes.ts',
      'x2026-01-02T03-04-05.678Z.ts',
      '2026-01-02T03-04-05.678Z.ts.bak',
      '2026-01-02.ts',
    ]) {
      writeFileSync(join(workspace.history, 'a.ts', name), '')
    }
    expect(times(workspace, 'a.ts')).toHaveLength(1)
  })

  it('stay where there is nothing to move', () => {
    const workspace = openWorkspace(freshFolder())
    moveHistory(workspace, 'none.ts', 'b.ts')
    expect(existsSync(join(workspace.history, 'b.ts'))).toBe(false)
    const now = Date.now()
    for (const [name, text] of [
      ['a.ts', 'other'],
      ['b.ts', 'own'],
    ] as const)
      keepVersion(workspace, name, text, now)
    moveHistory(workspace, 'a.ts', 'b.ts')
    expect(readVersion(workspace, 'b.ts', now)).toBe('own')
    moveHistory(workspace, 'b.ts', 'c.ts')
    expect(times(workspace, 'c.ts')).toEqual([now])
    expect(existsSync(join(workspace.history, 'a.ts'))).toBe(false)
  })

  it('go with a notebook to its new name, beside those already there', () => {
    const workspace = openWorkspace(freshFolder())
    const now = Date.now()
    keepVersion(workspace, 'a.ts', 'one', now - 2)
    keepVersion(workspace, 'b.ts', 'two', now - 1)
    moveHistory(workspace, 'a.ts', 'b.ts')
    moveHistory(workspace, 'none.ts', 'b.ts')
    expect(times(workspace, 'b.ts')).toEqual([now - 1, now - 2])
    expect(existsSync(join(workspace.history, 'a.ts'))).toBe(false)
  })
})

describe('superfluous', () => {
  const now = 100 * DAY
  const [hour, day, week] = [now - 5 * HOUR, now - 20 * DAY, now - 7 * DAY]
  const in40 = hour + 40 * MINUTE

  it.each<[what: string, at: number, times: number[], left: number[]]>([
    ['nothing where there is nothing', now, [], []],
    ['nothing of the last hour', now, [now, now - 1, now - 2, now - HOUR + 1], []],
    ['all but the last of each hour for a week', now, [hour + 50 * MINUTE, in40, hour, hour - 1], [in40, hour]],
    ['all but the last of each day from then on', now, [day + 5 * HOUR, day + 2 * HOUR, day - HOUR], [day + 2 * HOUR]],
    ['nothing of an hour that is not over', now, [now - HOUR + 2, now - HOUR + 1], []],
    ['nothing of the hour after it to the millisecond', now + HOUR, [now - HOUR, now - HOUR - 1], []],
    ['the earlier one of an hour ago', now + 2 * MINUTE, [now - 58 * MINUTE, now - 59 * MINUTE], [now - 59 * MINUTE]],
    ['nothing of hours within a week', now, [week + 2 * HOUR, week + HOUR], []],
    ['nothing of a week to the millisecond', now, [week + HOUR, week], []],
    ['the earlier one of a day over a week ago', now + HOUR, [week + HOUR, week], [week]],
  ])('is %s', (_, at, times, left) => expect(superfluous(times, at)).toEqual(left))
})
