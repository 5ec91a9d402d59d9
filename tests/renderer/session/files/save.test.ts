import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { keepMine, takeTheirs } from '../../../../renderer/session/conflict.ts'
import { readEntry } from '../../../../renderer/session/files/journal.ts'
import { changed, journal, lookAtDisk, save, writeAgain } from '../../../../renderer/session/files/save.ts'
import { useNotebook } from '../../../../renderer/session/state.ts'

import {
  begin,
  CHANGED,
  disk,
  end,
  files,
  host,
  journalled,
  kept,
  MINE,
  notice,
  ORIGINAL,
  onDisk,
  open,
  pass,
  slowWrite,
  sources,
  state,
  THEIRS,
  TWO,
  textOf,
  type,
} from './fakeDisk.ts'

beforeEach(begin)
afterEach(end)

describe('a change', () => {
  it('is saved half a second after the last one', async () => {
    type('const a = 2')
    expect(state().saving).toBe('changed')
    await pass(499)
    expect(onDisk()).toBe(ORIGINAL)
    await pass(1)
    expect(onDisk()).toBe(MINE)
    expect(state()).toMatchObject({ saving: 'saved', revision: MINE })
  })

  it('is saved 0.9 seconds after the first one, however fast somebody types', async () => {
    type('const a = 4')
    await pass(499)
    type('const a = 2')
    await pass(400)
    expect(onDisk()).toBe(ORIGINAL)
    await pass(1)
    expect(onDisk()).toBe(MINE)
    type('const a = 3') // the first one after a save
    await pass(499)
    expect(onDisk()).toBe(MINE)
    await pass(1)
    expect(onDisk()).toBe(THEIRS)
  })

  it('is saved once where somebody saves by hand, and nothing is where nothing was typed', async () => {
    await save()
    expect([disk.writes, state().saving]).toEqual([0, 'saved'])
    type('const a = 2')
    const saving = save()
    expect(state().saving).toBe('saving')
    await saving
    expect(vi.getTimerCount()).toBe(0)
    await pass(2000)
    expect(disk.writes).toBe(1)
    expect(state().base).toEqual({ text: MINE, cells: [{ id: 'a', kind: 'code', source: 'const a = 2' }] })
  })

  it('is in the journal within 0.2 seconds, and only there while it is not saved', async () => {
    disk.fail = new Error('no answer')
    type('const a = 4')
    await pass(100)
    type('const a = 2')
    await pass(99)
    expect(kept.size).toBe(0)
    await pass(1)
    expect(readEntry('n.ts')).toMatchObject({ cells: [{ source: 'const a = 2' }], revision: ORIGINAL, base: ORIGINAL })
    await pass(500)
    expect(state().saving).toBe('failed')
    expect(kept.size).toBe(1)
    disk.fail = null
    await save()
    expect(kept.size).toBe(0)
  })

  it('is nowhere without a notebook', async () => {
    useNotebook.setState({ name: null })
    changed()
    journal()
    expect(kept.size).toBe(0)
    await save()
    expect([disk.writes, state().saving]).toEqual([0, 'changed'])
    useNotebook.setState({ name: 'n.ts', saving: 'saved' })
  })

  it('is in the journal while a write is under way and after it failed, says why, and is tried again', async () => {
    type('const a = 2')
    const end = slowWrite()
    const saving = save()
    journal()
    expect(state().saving).toBe('saving')
    expect(journalled()).toEqual(['const a = 2'])
    disk.fail = new MixlabError('store', 'disk', 'is full')
    end()
    await saving
    expect(state()).toMatchObject({ saving: 'failed', saveError: 'disk: is full' })
    expect(journalled()).toEqual(['const a = 2'])
    await open()
    expect(sources()).toEqual(['const a = 2'])
    disk.fail = null
    await save()
    expect(onDisk()).toBe(MINE)
  })

  it('during a write stays in the journal when the write has ended, and is written next', async () => {
    type('const a = 2')
    const end = slowWrite()
    const first = save()
    await pass(0)
    type('const a = 3')
    end()
    await first
    expect(onDisk()).toBe(MINE)
    expect(state()).toMatchObject({ saving: 'changed', revision: MINE })
    expect(journalled()).toEqual(['const a = 3'])
    await save()
    expect(onDisk()).toBe(THEIRS)
    expect(kept.size).toBe(0)
  })

  it('is written one write after the other', async () => {
    type('const a = 2')
    const end = slowWrite()
    const first = save()
    await pass(0)
    type('const a = 3')
    const second = save()
    await pass(0)
    expect(disk.writes).toBe(1)
    end()
    await Promise.all([first, second])
    expect(disk.writes).toBe(2)
    expect(onDisk()).toBe(THEIRS)
  })

  it.each([
    ['well', null],
    ['badly', new Error('no answer')],
    ['with a conflict', CHANGED],
  ])('that is written %s after another notebook was opened leaves that one alone', async (_, fail) => {
    type('const a = 2')
    const end = slowWrite()
    const saving = save()
    await pass(0)
    await open(undefined, 'other.ts')
    disk.fail = fail
    end()
    await saving
    expect(onDisk()).toBe(fail ? ORIGINAL : MINE)
    expect(state()).toMatchObject({ name: 'other.ts', revision: ORIGINAL, saving: 'saved', saveError: null })
  })

  it('that would start a cell is refused, and kept all the same', async () => {
    type('// %% two')
    journal()
    await save()
    expect(state().saving).toBe('failed')
    expect(state().saveError).toContain('would start a new cell')
    expect(onDisk()).toBe(ORIGINAL)
    await open()
    expect(sources()).toEqual(['// %% two'])
  })

  it('keeps the bytes of what was not edited', async () => {
    await open('\uFEFF//%% a {"x": 1}\r\nconst a = 1\r\n//%%[md]\r\n//text')
    type('const a = 2')
    await save()
    expect(onDisk()).toBe('\uFEFF//%% a {"x": 1}\r\nconst a = 2\r\n//%%[md]\r\n//text')
  })
})

describe('a save that fails', () => {
  it.each([
    ['an error', new Error('no answer')],
    ['the way to the workspace', new MixlabError('backend', '', 'no answer')],
  ])('by %s says so, and takes nothing over', async (_, fail) => {
    type('const a = 2')
    disk.fail = fail
    files.set('n.ts', THEIRS)
    await save()
    expect(state()).toMatchObject({ saving: 'failed', saveError: 'no answer', conflict: null, revision: ORIGINAL })
    expect(sources()).toEqual(['const a = 2'])
  })

  it.each([
    ['is there', async () => ['n.ts']],
    ['may be', () => Promise.reject(new Error('not now'))],
  ])('where the file cannot be read and %s offers nothing', async (_, listNotebooks) => {
    const readNotebook = () => Promise.reject(new Error('not now'))
    useConnection.setState({ host: { ...host, readNotebook, listNotebooks } })
    type('const a = 2')
    disk.fail = CHANGED
    await save()
    expect(state()).toMatchObject({ saving: 'failed', saveError: 'n.ts: changed on disk' })
    expect(notice()).toBeNull()
    useConnection.setState({ host })
  })

  it('has a text in the journal before it is sent, with the last ones that were not answered', async () => {
    const sent: (string[] | undefined)[] = []
    const writeNotebook = async () => {
      sent.push(readEntry('n.ts')?.sent)
      throw new Error('no answer')
    }
    useConnection.setState({ host: { ...host, writeNotebook } })
    for (const value of [2, 3, 4, 5, 6, 7]) {
      type(`const a = ${value}`)
      await save()
    }
    expect(sent.slice(0, 2)).toEqual([[2], [2, 3]].map((values) => values.map(textOf)))
    expect(sent.at(-1)).toEqual([4, 5, 6, 7].map(textOf))
  })
})

const CONFLICT = { file: { text: '', revision: '' }, theirs: [], cells: [] }

describe('looking at the disk', () => {
  it.each([
    ['no notebook is open', { name: null }],
    ['the file was never written', { revision: null }],
    ['a save is under way', { saving: 'saving' }],
    ['a conflict is not decided', { conflict: CONFLICT }],
  ] as const)('does not read where %s', async (_, change) => {
    const before = state()
    const read = vi.spyOn(useConnection.getState().host as Host, 'readNotebook')
    useNotebook.setState(change as never)
    await lookAtDisk()
    expect(read).not.toHaveBeenCalled()
    useNotebook.setState(before)
  })

  it.each([
    ['another notebook is open by then', { name: 'other.ts' }],
    ['our own write came between', { revision: 'newer' }],
    ['a save has begun', { saving: 'saving' }],
    ['there is a conflict by then', { conflict: CONFLICT }],
  ] as const)('takes nothing over where %s', async (_, change) => {
    const before = state()
    files.set('n.ts', THEIRS)
    const looking = lookAtDisk()
    useNotebook.setState(change as never)
    await looking
    expect(sources()).toEqual(['const a = 1'])
    useNotebook.setState(before)
  })

  it('takes nothing over where the file is as it was', async () => {
    const { cells } = state()
    await lookAtDisk()
    expect(state().cells).toBe(cells)
  })

  it('needs no writing where the file has all of ours, and the journal forgets it', async () => {
    type('const a = 3')
    journal()
    expect([kept.size, vi.getTimerCount()]).toEqual([1, 1]) // that of the save
    files.set('n.ts', THEIRS)
    await lookAtDisk()
    expect(state()).toMatchObject({ saving: 'saved', conflict: null, revision: THEIRS })
    await pass(1000)
    expect([kept.size, disk.writes]).toEqual([0, 0])
  })
})

describe('a file that was deleted', () => {
  it('is written again only if the user wants that', async () => {
    files.delete('n.ts')
    type('const a = 2')
    await save()
    expect(state()).toMatchObject({ fileDeleted: true, saving: 'failed', saveError: 'its file was deleted' })
    expect(onDisk()).toBeUndefined()
    writeAgain()
    await save()
    expect(onDisk()).toBe(MINE)
    expect(state()).toMatchObject({ fileDeleted: false, saving: 'saved', revision: MINE })
  })

  it('is noticed without a change, and what was typed meanwhile is saved once it is back', async () => {
    files.delete('n.ts')
    await lookAtDisk()
    expect(state()).toMatchObject({ fileDeleted: true, saving: 'saved' })
    expect(useConnection.getState().notebooks).toEqual(['other.ts'])
    type('const a = 2')
    await save()
    expect(state()).toMatchObject({ saving: 'failed' })
    files.set('n.ts', ORIGINAL)
    await lookAtDisk()
    await save()
    expect(onDisk()).toBe(MINE)
    expect(state()).toMatchObject({ fileDeleted: false, saving: 'saved' })
  })

  it('is not what an answer that did not come means', async () => {
    useConnection.setState({ host: { ...host, readNotebook: () => Promise.reject(new Error('no answer')) } })
    await expect(lookAtDisk()).rejects.toThrow('no answer')
    expect(state().fileDeleted).toBe(false)
  })
})

describe('a file that was changed by someone else in another cell', () => {
  beforeEach(async () => {
    await open(TWO)
    files.set('n.ts', TWO.replace('b = 1', 'b = 5'))
  })
  const MERGED = TWO.replace('a = 1', 'a = 2').replace('b = 1', 'b = 5')

  it('is brought together with ours when it is saved, written by itself, and in the journal until then', async () => {
    type('const a = 2')
    await save()
    expect(state().conflict).toBeNull()
    expect(onDisk()).toContain('a = 1')
    expect(readEntry('n.ts')).toMatchObject({ revision: TWO.replace('b = 1', 'b = 5') })
    expect(journalled()).toEqual(['const a = 2', 'const b = 5'])
    await pass(500)
    expect(onDisk()).toBe(MERGED)
    expect(state()).toMatchObject({ saving: 'saved', revision: MERGED })
    expect(kept.size).toBe(0)
  })

  it('is brought together with ours when the disk is looked at', async () => {
    type('const a = 2')
    await lookAtDisk()
    expect(sources()).toEqual(['const a = 2', 'const b = 5'])
    expect(state().saving).toBe('changed')
  })

  it('is shown where we have no changes, and nothing is written', async () => {
    await lookAtDisk()
    await save()
    expect(sources()).toEqual(['const a = 1', 'const b = 5'])
    expect(state()).toMatchObject({ saving: 'saved', conflict: null })
    expect(disk.writes).toBe(0)
  })

  it('leaves unnamed cells their ids where one is added above', async () => {
    const text = '// %%\n1\n\n// %%\n2\n'
    await open(text)
    const [first, second] = state().cells
    type('22', 'cell-2')
    files.set('n.ts', `// %%\n0\n\n${text}`)
    await save()
    await save()
    expect(state().cells.slice(1)).toEqual([first, { ...second, source: '22' }])
    expect(onDisk()).toBe('// %% cell-1-2\n0\n\n// %% cell-1\n1\n\n// %% cell-2\n22\n')
  })
})

describe('a cell that was changed here and on disk', () => {
  beforeEach(async () => {
    files.set('n.ts', THEIRS)
    type('const a = 2')
    await save()
    disk.writes = 0
  })

  it('is asked about, and nothing is sent until then', async () => {
    expect(state().conflict?.cells.map(({ id, theirs }) => [id, theirs?.source])).toEqual([['a', 'const a = 3']])
    await save()
    await pass(5000)
    expect([onDisk(), disk.writes]).toEqual([THEIRS, 0])
    expect([sources(), journalled()]).toEqual([['const a = 2'], ['const a = 2']])
  })

  it('is overwritten by keeping mine, and can be had back', async () => {
    keepMine('a')
    await save()
    expect(onDisk()).toBe(MINE)
    notice()?.action?.run()
    await save()
    expect(onDisk()).toBe(THEIRS)
  })

  it('is shown by taking theirs, and mine can be had back', async () => {
    takeTheirs('a')
    expect(sources()).toEqual(['const a = 3'])
    await save()
    expect(state()).toMatchObject({ saving: 'saved', conflict: null })
    notice()?.action?.run()
    await save()
    expect(onDisk()).toBe(MINE)
  })

  it('is asked about again where the file changed meanwhile', async () => {
    files.set('n.ts', textOf(4))
    keepMine('a')
    await save()
    expect(state().conflict?.cells[0]?.theirs?.source).toBe('const a = 4')
    expect(onDisk()).toContain('a = 4')
  })
})
