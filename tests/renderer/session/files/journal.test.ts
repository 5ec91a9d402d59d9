import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useConnection } from '../../../../renderer/host/state.ts'
import { dropEntry, keepEntry, readEntry } from '../../../../renderer/session/files/journal.ts'
import { journal, save } from '../../../../renderer/session/files/save.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'

import {
  begin,
  disk,
  end,
  files,
  journalled,
  kept,
  LOST,
  MINE,
  notice,
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

// A page that can be closed, or crash, at any time: what was typed is in the file or in the journal.

beforeEach(begin)
afterEach(end)

describe('a write whose answer was lost', () => {
  beforeEach(async () => {
    disk.mute = true
    type('const a = 2')
    await save()
    disk.mute = false
    expect([onDisk(), state().saving]).toEqual([MINE, 'failed'])
  })

  it('is no change of somebody else, where one saves again or types on', async () => {
    await save()
    expect(state()).toMatchObject({ saving: 'saved', conflict: null, revision: MINE })
    type('const a = 3')
    await pass(1000)
    expect([onDisk(), state().saving]).toEqual([THEIRS, 'saved'])
    expect(kept.size).toBe(0)
  })

  it.each([
    ['one types on', save],
    ['the page is loaded again', open],
  ])('is none where %s before that is known', async (_, goOn) => {
    type('const a = 3')
    journal()
    await goOn()
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await pass(1000)
    expect([onDisk(), state().saving]).toEqual([THEIRS, 'saved'])
  })

  it('is none where the next answer was lost, too, or the next write was never made', async () => {
    disk.fail = LOST
    for (const value of [3, 4]) {
      type(`const a = ${value}`)
      await save()
    }
    disk.fail = null
    type('const a = 5')
    await save()
    await pass(1000)
    expect([onDisk(), state().conflict]).toEqual([textOf(5), null])
  })

  it('hides no change that somebody else made after it', async () => {
    files.set('n.ts', textOf(7))
    type('const a = 3')
    await save()
    expect(state().conflict?.cells).toHaveLength(1)
    expect(onDisk()).toBe(textOf(7))
  })
})

describe('a page that crashed', () => {
  it('while it wrote finds its own text in the file', async () => {
    const letGo = slowWrite()
    type('const a = 2')
    void save()
    type('const a = 3')
    journal()
    const atCrash = new Map(kept)
    letGo()
    await vi.runAllTimersAsync()
    for (const [key, value] of atCrash) kept.set(key, value)
    await open(MINE)
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await pass(1000)
    expect(onDisk()).toBe(THEIRS)
  })

  it('has all back that was typed, brings it together with the file, and writes it by itself', async () => {
    await open(TWO)
    disk.fail = LOST
    type('const a = 2')
    journal()
    await save()
    disk.fail = null
    await open(TWO.replace('b = 1', 'b = 5'))
    expect(notice()?.text).toContain('are back')
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await pass(1000)
    expect(onDisk()).toBe(`${MINE}\n// %% b\nconst b = 5\n`)
    expect(kept.size).toBe(0)
  })
})

describe('the journal', () => {
  const entry = { cells: [], revision: null, base: '', sent: [] }

  it('has what is not saved, and forgets it with the save, but nothing of another page', async () => {
    type('const a = 2')
    journal()
    expect(readEntry('n.ts')?.cells).toEqual([{ id: 'a', kind: 'code', source: 'const a = 2' }])
    const [other] = [...kept] as [[string, string]]
    await save()
    expect(readEntry('n.ts')).toBeNull()
    kept.set(...other)
    journal()
    expect(journalled()).toEqual(['const a = 2'])
  })

  it('can be undone', async () => {
    type('const a = 2')
    journal()
    await open()
    notice()?.action?.run()
    expect(sources()).toEqual(['const a = 1'])
  })

  it('says nothing where the file has it all', async () => {
    type('const a = 2')
    journal()
    await open(MINE)
    expect(notice()).toBeNull()
    expect(kept.size).toBe(0)
  })

  it('asks where the same cell changed in the file, too', async () => {
    type('const a = 2')
    journal()
    await open(THEIRS)
    expect(state().conflict).not.toBeNull()
    expect(sources()).toEqual(['const a = 2'])
  })

  it('belongs to a workspace and a notebook', () => {
    keepEntry('a.ts', entry)
    expect(readEntry('b.ts')).toBeNull()
    useConnection.setState({ description: { version: '0', workspace: '/other', notebook: null } })
    expect(readEntry('a.ts')).toBeNull()
  })

  it('does without storage, or with a full one, and says so once', () => {
    vi.stubGlobal('localStorage', undefined)
    keepEntry('a.ts', entry)
    expect(notice()?.text).toContain('The storage of the browser is full or missing')
    expect(notice()?.tone).toBe('bad')
    expect(readEntry('a.ts')).toBeNull()
    dropEntry('a.ts')
    useNotices.setState({ notice: null })
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('quota', 'QuotaExceededError')
      },
    })
    keepEntry('a.ts', entry)
    expect(notice()).toBeNull()
  })

  it.each(['{"cells":5}', '{"cells":[],"base":5}', '{"cells":5,"base":""}', '{"cells":[],"base":"","sent":5}', ''])(
    'passes over what is not its own: %s',
    (text) => {
      keepEntry('a.ts', entry)
      for (const key of kept.keys()) kept.set(key, text)
      expect(readEntry('a.ts')).toBeNull()
    },
  )
})
