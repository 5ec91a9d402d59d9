import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { keepMine, takeTheirs } from '../../../../renderer/session/conflict.ts'
import { readEntry } from '../../../../renderer/session/files/journal.ts'
import { changed, journal, lookAtDisk, save, writeAgain } from '../../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../../renderer/session/open.ts'
import { useNotebook } from '../../../../renderer/session/state.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'

/** A workspace with one notebook, whose revision is its text; null once it is deleted. */
function workspace(text: string) {
  const disk = { text: text as string | null, fail: null as Error | null }
  const host: Partial<Host> = {
    listNotebooks: async () => (disk.text === null ? [] : ['n.ts']),
    async readNotebook(name) {
      if (disk.text === null) throw new MixlabError('notebook', name, 'no such notebook')
      return { name, text: disk.text, revision: disk.text }
    },
    readOutputs: async () => [],
    writeNotebook: async (name, written, revision) => {
      if (disk.fail) throw disk.fail
      if (revision !== disk.text) throw new MixlabError('notebook', name, 'changed on disk')
      disk.text = written
      return written
    },
  }
  useConnection.setState({ host: host as Host })
  return disk
}

const ORIGINAL = '// %% a\nconst a = 1\n'
const MINE = '// %% a\nconst a = 2\n'
const THEIRS = '// %% a\nconst a = 3\n'

function type(source: string, id = 'a') {
  useNotebook.setState(({ cells }) => ({ cells: cells.map((cell) => (cell.id === id ? { ...cell, source } : cell)) }))
  changed()
}
const shown = () => useNotebook.getState().cells[0]?.source
const state = () => useNotebook.getState()

let disk = workspace(ORIGINAL)
beforeEach(async () => {
  disk = workspace(ORIGINAL)
  useNotices.setState({ notice: null })
  await openNotebook('n.ts')
})

/** The storage of the browser. */
function storage(): Map<string, string> {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  return kept
}

describe('a change', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(async () => {
    await save()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is saved half a second after the last one', async () => {
    type('const a = 2')
    await vi.advanceTimersByTimeAsync(499)
    expect(disk.text).toBe(ORIGINAL)
    await vi.advanceTimersByTimeAsync(1)
    expect(disk.text).toBe(MINE)
  })

  it('is saved 0.9 seconds after the first one, however fast somebody types', async () => {
    type('const a = 4')
    await vi.advanceTimersByTimeAsync(499)
    type('const a = 2')
    await vi.advanceTimersByTimeAsync(400)
    expect(disk.text).toBe(ORIGINAL)
    await vi.advanceTimersByTimeAsync(1)
    expect(disk.text).toBe(MINE)
    type('const a = 3') // the first one after a save
    await vi.advanceTimersByTimeAsync(499)
    expect(disk.text).toBe(MINE)
    await vi.advanceTimersByTimeAsync(1)
    expect(disk.text).toBe(THEIRS)
  })

  it('is saved once where somebody saves by hand', async () => {
    const write = vi.spyOn(useConnection.getState().host as Host, 'writeNotebook')
    type('const a = 2')
    const saving = save()
    expect(state().saving).toBe('saving')
    await saving
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(2000)
    expect(write).toHaveBeenCalledTimes(1)
    expect(state().base).toEqual({ text: MINE, cells: [{ id: 'a', kind: 'code', source: 'const a = 2' }] })
  })

  it('is brought together with those of somebody else, and saved again by itself', async () => {
    disk.text = `${ORIGINAL}\n// %% b\nconst b = 1\n`
    await openNotebook('n.ts')
    type('const a = 2')
    disk.text = disk.text.replace('b = 1', 'b = 2')
    await save()
    expect(disk.text).toContain('a = 1')
    await vi.advanceTimersByTimeAsync(500)
    expect(disk.text).toBe(`${MINE}\n// %% b\nconst b = 2\n`)
  })

  it('leaves the journal where somebody else has written the same', async () => {
    const kept = storage()
    type('const a = 3')
    journal()
    expect([kept.size, vi.getTimerCount()]).toEqual([1, 1]) // that of the save
    disk.text = THEIRS
    await lookAtDisk()
    expect([kept.size, state().saving]).toEqual([0, 'saved'])
  })

  it('is in the journal within 0.2 seconds, and only there while it is not saved', async () => {
    const kept = storage()
    disk.fail = new Error('no answer')
    type('const a = 4')
    await vi.advanceTimersByTimeAsync(100)
    type('const a = 2')
    await vi.advanceTimersByTimeAsync(99)
    expect(kept.size).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(readEntry('n.ts')).toMatchObject({ cells: [{ source: 'const a = 2' }], revision: ORIGINAL, base: ORIGINAL })
    await vi.advanceTimersByTimeAsync(500)
    expect(state().saving).toBe('failed')
    expect(kept.size).toBe(1)
    disk.fail = null
    await save()
    expect(kept.size).toBe(0)
    kept.set(`mixlab.journal undefined n.ts`, 'of another page')
    journal()
    expect(kept.size).toBe(1)
  })

  it('is nowhere without a notebook', async () => {
    const write = vi.spyOn(useConnection.getState().host as Host, 'writeNotebook')
    const kept = storage()
    useNotebook.setState({ name: null })
    changed()
    journal()
    expect(kept.size).toBe(0)
    await save()
    expect(write).not.toHaveBeenCalled()
    expect(state().saving).toBe('changed')
    useNotebook.setState({ name: 'n.ts', saving: 'saved' })
  })
})

describe('looking at the disk', () => {
  const reading = () => vi.spyOn(useConnection.getState().host as Host, 'readNotebook')

  it.each([
    ['no notebook is open', { name: null }],
    ['the file was never written', { revision: null }],
    ['a save is under way', { saving: 'saving' }],
    ['a conflict is not decided', { conflict: { file: { text: '', revision: '' }, theirs: [], cells: [] } }],
  ] as const)('does not read where %s', async (_, change) => {
    const before = state()
    const read = reading()
    useNotebook.setState(change as never)
    await lookAtDisk()
    expect(read).not.toHaveBeenCalled()
    useNotebook.setState(before)
  })

  it.each([
    ['another notebook is open by then', { name: 'other.ts' }],
    ['our own write came between', { revision: 'newer' }],
    ['a save has begun', { saving: 'saving' }],
    ['there is a conflict by then', { conflict: { file: { text: '', revision: '' }, theirs: [], cells: [] } }],
  ] as const)('takes nothing over where %s', async (_, change) => {
    const before = state()
    disk.text = THEIRS
    const looking = lookAtDisk()
    useNotebook.setState(change as never)
    await looking
    expect(shown()).toBe('const a = 1')
    useNotebook.setState(before)
  })

  it('takes nothing over where the file is as it was', async () => {
    const { cells } = state()
    await lookAtDisk()
    expect(state().cells).toBe(cells)
  })
})

describe('a save that fails', () => {
  it.each([
    ['an error', new Error('no answer')],
    ['the way to the workspace', new MixlabError('backend', '', 'no answer')],
  ])('by %s says so, and takes nothing over', async (_, fail) => {
    type('const a = 2')
    Object.assign(disk, { fail, text: THEIRS })
    await save()
    expect(state()).toMatchObject({ saving: 'failed', saveError: 'no answer', conflict: null, revision: ORIGINAL })
    expect(shown()).toBe('const a = 2')
  })

  it('where the file cannot be read, and is there or may be, offers nothing', async () => {
    const host = useConnection.getState().host as Host
    host.readNotebook = () => Promise.reject(new Error('not now'))
    for (const listNotebooks of [async () => ['n.ts'], () => Promise.reject(new Error('not now'))]) {
      host.listNotebooks = listNotebooks
      type('const a = 2')
      disk.fail = new MixlabError('notebook', 'n.ts', 'changed on disk')
      await save()
      expect(state()).toMatchObject({ saving: 'failed', saveError: 'n.ts: changed on disk' })
      expect(useNotices.getState().notice).toBeNull()
    }
  })
})

describe('a save that ends after another notebook was opened', () => {
  it.each([
    ['well', null],
    ['badly', new Error('no answer')],
    ['with a conflict', new MixlabError('notebook', 'n.ts', 'changed on disk')],
  ])('%s leaves that one alone', async (_, fail) => {
    disk.fail = fail
    type('const a = 2')
    const saving = save()
    const other = { ...state(), name: 'other.ts', saving: 'saved' as const, revision: 'r' }
    useNotebook.setState(other)
    await saving
    expect(state()).toMatchObject({ name: 'other.ts', saving: 'saved', revision: 'r', saveError: null })
  })
})

describe('saving', () => {
  it('writes what was typed', async () => {
    type('const a = 2')
    expect(state().saving).toBe('changed')
    await save()
    expect(disk.text).toBe(MINE)
    expect(state()).toMatchObject({ saving: 'saved', revision: MINE })
  })

  it('writes nothing where nothing was typed', async () => {
    disk.fail = new Error('written')
    await save()
    expect(state().saving).toBe('saved')
  })

  it('keeps what is typed while a save is under way', async () => {
    type('const a = 0')
    const first = save()
    type('const a = 2')
    await first
    expect(state().saving).toBe('changed')
    await save()
    expect(disk.text).toBe(MINE)
  })

  it('tells why it failed and tries again', async () => {
    disk.fail = new MixlabError('store', 'disk', 'is full')
    type('const a = 2')
    await save()
    expect(state()).toMatchObject({ saving: 'failed', saveError: 'disk: is full' })
    disk.fail = null
    await save()
    expect(disk.text).toBe(MINE)
  })

  it('is no conflict when the answer to our own write was lost', async () => {
    type('const a = 2')
    disk.text = MINE
    await save()
    expect(state()).toMatchObject({ saving: 'saved', conflict: null, revision: MINE })
  })

  it('has a text in the journal before it is sent, with the last ones that were not answered', async () => {
    storage()
    const journalled: (string[] | undefined)[] = []
    const writeNotebook = async () => {
      journalled.push(readEntry('n.ts')?.sent)
      throw new Error('no answer')
    }
    useConnection.setState(({ host }) => ({ host: { ...(host as Host), writeNotebook } }))
    const textOf = (value: number) => `// %% a\nconst a = ${value}\n`
    for (const value of [2, 3, 4, 5, 6, 7]) {
      type(`const a = ${value}`)
      await save()
    }
    expect(journalled.slice(0, 2)).toEqual([[2], [2, 3]].map((values) => values.map(textOf)))
    expect(journalled.at(-1)).toEqual([4, 5, 6, 7].map(textOf))
    vi.unstubAllGlobals()
  })

  it('refuses text that would start a cell, and says so', async () => {
    type('// %% two')
    await save()
    expect(state().saving).toBe('failed')
    expect(state().saveError).toContain('would start a new cell')
    expect(disk.text).toBe(ORIGINAL)
  })

  it('keeps the bytes of what was not edited', async () => {
    disk.text = '\uFEFF//%% a {"x": 1}\r\nconst a = 1\r\n//%%[md]\r\n//text'
    await openNotebook('n.ts')
    type('const a = 2')
    await save()
    expect(disk.text).toBe('\uFEFF//%% a {"x": 1}\r\nconst a = 2\r\n//%%[md]\r\n//text')
  })
})

describe('a file that was deleted', () => {
  it('is written again only if the user wants that', async () => {
    disk.text = null
    type('const a = 2')
    await save()
    expect(state()).toMatchObject({ fileDeleted: true, saving: 'failed', saveError: 'its file was deleted' })
    expect(disk.text).toBeNull()
    writeAgain()
    await save()
    expect(disk.text).toBe(MINE)
    expect(state()).toMatchObject({ fileDeleted: false, saving: 'saved', revision: MINE })
  })

  it('is noticed without a change, and what was typed meanwhile is saved once it is back', async () => {
    disk.text = null
    await lookAtDisk()
    expect(state()).toMatchObject({ fileDeleted: true, saving: 'saved' })
    expect(useConnection.getState().notebooks).toEqual([])
    type('const a = 2')
    await save()
    expect(state()).toMatchObject({ saving: 'failed' })
    disk.text = ORIGINAL
    await lookAtDisk()
    await save()
    expect(disk.text).toBe(MINE)
    expect(state()).toMatchObject({ fileDeleted: false, saving: 'saved' })
  })

  it('is not what an answer that did not come means', async () => {
    const { host } = useConnection.getState()
    if (!host) throw new Error('no host')
    host.readNotebook = () => Promise.reject(new Error('no answer'))
    await expect(lookAtDisk()).rejects.toThrow('no answer')
    expect(state().fileDeleted).toBe(false)
  })
})

const TWO = '// %% a\nconst a = 1\n\n// %% b\nconst b = 1\n'

describe('a file that was changed by someone else in another cell', () => {
  beforeEach(async () => {
    disk.text = TWO
    await openNotebook('n.ts')
    disk.text = TWO.replace('b = 1', 'b = 2')
  })

  it('is brought together with ours when it is saved', async () => {
    type('const a = 2')
    await save()
    expect(state().conflict).toBeNull()
    await save()
    expect(disk.text).toBe('// %% a\nconst a = 2\n\n// %% b\nconst b = 2\n')
    expect(state()).toMatchObject({ saving: 'saved', revision: disk.text })
  })

  it('is brought together with ours when the disk is looked at', async () => {
    type('const a = 2')
    await lookAtDisk()
    expect(state().cells.map(({ source }) => source)).toEqual(['const a = 2', 'const b = 2'])
    expect(state().saving).toBe('changed')
  })

  it('is shown where we have no changes, and nothing is written', async () => {
    disk.fail = new Error('written')
    await lookAtDisk()
    await save()
    expect(state().cells.map(({ source }) => source)).toEqual(['const a = 1', 'const b = 2'])
    expect(state()).toMatchObject({ saving: 'saved', conflict: null })
  })

  it('leaves unnamed cells their ids where one is added above', async () => {
    disk.text = '// %%\n1\n\n// %%\n2\n'
    await openNotebook('n.ts')
    const [first, second] = state().cells
    type('22', 'cell-2')
    disk.text = `// %%\n0\n\n${disk.text}`
    await save()
    await save()
    expect(state().cells.slice(1)).toEqual([first, { ...second, source: '22' }])
    expect(disk.text).toBe('// %% cell-1-2\n0\n\n// %% cell-1\n1\n\n// %% cell-2\n22\n')
  })
})

describe('a cell that was changed here and on disk', () => {
  beforeEach(async () => {
    disk.text = THEIRS
    type('const a = 2')
    await save()
  })

  it('is asked about, and nothing is written until then', async () => {
    expect(state().conflict?.cells.map(({ id, theirs }) => [id, theirs?.source])).toEqual([['a', 'const a = 3']])
    await save()
    expect(disk.text).toBe(THEIRS)
    expect(shown()).toBe('const a = 2')
  })

  it('is overwritten by keeping mine, and can be had back', async () => {
    keepMine('a')
    await save()
    expect(disk.text).toBe(MINE)
    useNotices.getState().notice?.action?.run()
    await save()
    expect(disk.text).toBe(THEIRS)
  })

  it('is shown by taking theirs, and mine can be had back', async () => {
    takeTheirs('a')
    expect(shown()).toBe('const a = 3')
    await save()
    expect(state()).toMatchObject({ saving: 'saved', conflict: null })
    useNotices.getState().notice?.action?.run()
    await save()
    expect(disk.text).toBe(MINE)
  })

  it('is asked about again where the file changed meanwhile', async () => {
    disk.text = '// %% a\nconst a = 4\n'
    keepMine('a')
    await save()
    expect(state().conflict?.cells[0]?.theirs?.source).toBe('const a = 4')
    expect(disk.text).toContain('a = 4')
  })
})
