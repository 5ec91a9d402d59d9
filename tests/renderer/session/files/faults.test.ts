import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { readEntry } from '../../../../renderer/session/files/journal.ts'
import { changed, journal, lookAtDisk, save } from '../../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../../renderer/session/open.ts'
import { useNotebook } from '../../../../renderer/session/state.ts'
import { restoreUnsaved } from '../../../../renderer/shell/showRoute.ts'

// A page that can be closed, or crash, at any time: what was typed is in the file or in the journal.

const kept = new Map<string, string>()
const files = new Map<string, string>()
/** A write that is under way does not end before this does. */
let gate: Promise<void> = Promise.resolve()
let broken: Error | null = null
/** Writes are made, and their answers get lost. */
let mute = false
let writes = 0

const host: Partial<Host> = {
  listNotebooks: async () => [...files.keys()],
  readNotebook: async (name) => ({ name, text: files.get(name) ?? '', revision: files.get(name) ?? '' }),
  readOutputs: async () => [],
  async writeNotebook(name, text, revision) {
    writes++
    await gate
    if (broken) throw broken
    if (revision !== files.get(name)) throw new MixlabError('notebook', name, 'has changed on disk')
    files.set(name, text)
    if (mute) throw new MixlabError('backend', '', 'the connection to the workspace was lost')
    return text
  },
}

const textOf = (value: number) => `// %% a\nconst a = ${value}\n`
const type = (value: number) => {
  useNotebook.setState(({ cells }) => ({ cells: cells.map((cell) => ({ ...cell, source: `const a = ${value}` })) }))
  changed()
}
const open = async (name = 'n.ts') => {
  const file = await openNotebook(name)
  if (file) restoreUnsaved(file)
}
const journalled = (name = 'n.ts') => readEntry(name)?.cells[0]?.source ?? null
const state = () => useNotebook.getState()

beforeEach(async () => {
  vi.useFakeTimers()
  kept.clear()
  files.clear()
  for (const name of ['n.ts', 'other.ts']) files.set(name, textOf(1))
  gate = Promise.resolve()
  broken = null
  mute = false
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  useConnection.setState({ host: host as Host, description: { version: '0', workspace: '/w', notebook: null } })
  await open()
  writes = 0
})
afterEach(async () => {
  broken = null
  await vi.runAllTimersAsync()
  vi.useRealTimers()
})

/** A write that lasts until it is let go. */
function slowWrite(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  return resolve
}

describe('what was typed', () => {
  it('is in the journal within 200 ms, and in the file within 900 ms, however fast somebody types', async () => {
    for (let ms = 0; ms < 900; ms += 100) {
      type(ms)
      await vi.advanceTimersByTimeAsync(100)
      if (ms >= 200 && ms < 800) expect(Number(journalled()?.slice(10))).toBeGreaterThanOrEqual(ms - 200)
    }
    expect(writes).toBe(1)
    expect(files.get('n.ts')).toBe(textOf(800))
  })

  it('is in the journal while a write is under way, and after it failed', async () => {
    type(2)
    const end = slowWrite()
    const saving = save()
    journal()
    expect(state().saving).toBe('saving')
    expect(journalled()).toBe('const a = 2')
    broken = new MixlabError('store', 'disk', 'is full')
    end()
    await saving
    expect(state()).toMatchObject({ saving: 'failed', saveError: 'disk: is full' })
    expect(journalled()).toBe('const a = 2')
    await open()
    expect(state().cells[0]?.source).toBe('const a = 2')
  })

  it('during a write stays in the journal when the write has ended, and is written next', async () => {
    type(2)
    const end = slowWrite()
    const first = save()
    await vi.advanceTimersByTimeAsync(0)
    type(3)
    end()
    await first
    expect(files.get('n.ts')).toBe(textOf(2))
    expect(state()).toMatchObject({ saving: 'changed', revision: textOf(2) })
    expect(journalled()).toBe('const a = 3')
    await save()
    expect(files.get('n.ts')).toBe(textOf(3))
    expect(journalled()).toBeNull()
  })

  it('is written one write after the other', async () => {
    type(2)
    const end = slowWrite()
    const first = save()
    await vi.advanceTimersByTimeAsync(0)
    type(3)
    const second = save()
    await vi.advanceTimersByTimeAsync(0)
    expect(writes).toBe(1)
    end()
    await Promise.all([first, second])
    expect(writes).toBe(2)
    expect(files.get('n.ts')).toBe(textOf(3))
  })

  it('does not go into a notebook that is opened while it is written, nor does its revision', async () => {
    type(2)
    const end = slowWrite()
    const saving = save()
    await vi.advanceTimersByTimeAsync(0)
    await open('other.ts')
    end()
    await saving
    expect(files.get('n.ts')).toBe(textOf(2))
    expect(state()).toMatchObject({ name: 'other.ts', revision: textOf(1), saving: 'saved' })
  })

  it('of another page stays in the journal when this one saves nothing', async () => {
    type(2)
    journal()
    const [entry] = [...kept.entries()]
    await save()
    expect(kept.size).toBe(0)
    kept.set(...(entry as [string, string]))
    journal()
    expect(journalled()).toBe('const a = 2')
  })
})

describe('the file as someone else wrote it', () => {
  it('is not looked at while we write', async () => {
    type(2)
    const end = slowWrite()
    const saving = save()
    await vi.advanceTimersByTimeAsync(0)
    const looking = lookAtDisk()
    end()
    await Promise.all([saving, looking])
    expect(state()).toMatchObject({ saving: 'saved', conflict: null })
  })

  it('is not taken for ours where the answer came while we began to write', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { readNotebook } = host
    const read: Host['readNotebook'] = async (name) => {
      const file = { name, text: textOf(7), revision: textOf(7) }
      await promise
      return file
    }
    useConnection.setState({ host: { ...host, readNotebook: read } as Host })
    const looking = lookAtDisk()
    useConnection.setState({ host: { ...host, readNotebook } as Host })
    type(2)
    const end = slowWrite()
    const saving = save()
    await vi.advanceTimersByTimeAsync(0)
    resolve()
    await looking
    expect(state()).toMatchObject({ saving: 'saving', conflict: null })
    end()
    await saving
    expect(files.get('n.ts')).toBe(textOf(2))
  })

  it('together with ours is written by itself, and in the journal until then', async () => {
    const two = `${textOf(1)}\n// %% b\nconst b = 1\n`
    files.set('n.ts', two)
    await open()
    useNotebook.setState(({ cells }) => ({
      cells: cells.map((cell) => (cell.id === 'a' ? { ...cell, source: 'const a = 2' } : cell)),
    }))
    changed()
    files.set('n.ts', two.replace('b = 1', 'b = 5'))
    await save()
    const merged = `${textOf(2)}\n// %% b\nconst b = 5\n`
    expect(readEntry('n.ts')).toMatchObject({ revision: two.replace('b = 1', 'b = 5') })
    expect(readEntry('n.ts')?.cells.map(({ source }) => source)).toEqual(['const a = 2', 'const b = 5'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(files.get('n.ts')).toBe(merged)
    expect(kept.size).toBe(0)
  })

  it('that changed the same cell is asked about, and until then nothing is sent', async () => {
    type(2)
    files.set('n.ts', textOf(7))
    await save()
    expect(state().conflict).not.toBeNull()
    const sent = writes
    await save()
    await vi.advanceTimersByTimeAsync(5000)
    expect(writes).toBe(sent)
    expect(journalled()).toBe('const a = 2')
  })

  it('that has all of ours needs no writing, and the journal forgets it', async () => {
    type(2)
    journal()
    files.set('n.ts', textOf(2))
    await lookAtDisk()
    expect(state()).toMatchObject({ saving: 'saved', conflict: null, revision: textOf(2) })
    expect(kept.size).toBe(0)
    await vi.advanceTimersByTimeAsync(1000)
    expect(writes).toBe(0)
  })
})

describe('a write whose answer was lost', () => {
  beforeEach(async () => {
    mute = true
    type(2)
    await save()
    mute = false
    expect([files.get('n.ts'), state().saving]).toEqual([textOf(2), 'failed'])
  })

  it('is no change of somebody else, where one types on', async () => {
    type(3)
    await save()
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await vi.advanceTimersByTimeAsync(1000)
    expect([files.get('n.ts'), state().saving]).toEqual([textOf(3), 'saved'])
    expect(kept.size).toBe(0)
  })

  it('is none after a reload either', async () => {
    type(3)
    journal()
    await open()
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await vi.advanceTimersByTimeAsync(1000)
    expect([files.get('n.ts'), state().saving]).toEqual([textOf(3), 'saved'])
  })

  it('is none where the next answer was lost, too, or the next write was never made', async () => {
    broken = new MixlabError('backend', '', 'the connection to the workspace was lost')
    for (const value of [3, 4]) {
      type(value)
      await save()
    }
    broken = null
    type(5)
    await save()
    await vi.advanceTimersByTimeAsync(1000)
    expect([files.get('n.ts'), state().conflict]).toEqual([textOf(5), null])
  })

  it('hides no change that somebody else made after it', async () => {
    files.set('n.ts', textOf(7))
    type(3)
    await save()
    expect(state().conflict?.cells).toHaveLength(1)
    expect(files.get('n.ts')).toBe(textOf(7))
  })
})

describe('a page that crashed', () => {
  it('while it wrote finds its own text in the file', async () => {
    const letGo = slowWrite()
    type(2)
    void save()
    type(3)
    journal()
    const atCrash = new Map(kept)
    letGo()
    await vi.runAllTimersAsync()
    for (const [key, value] of atCrash) kept.set(key, value)
    files.set('n.ts', textOf(2))
    await open()
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await vi.advanceTimersByTimeAsync(1000)
    expect(files.get('n.ts')).toBe(textOf(3))
  })

  it('has all back that was typed, brings it together with the file, and writes it by itself', async () => {
    const two = `${textOf(1)}\n// %% b\nconst b = 1\n`
    files.set('n.ts', two)
    await open()
    broken = new MixlabError('backend', '', 'the connection was lost')
    useNotebook.setState(({ cells }) => ({
      cells: cells.map((cell) => (cell.id === 'a' ? { ...cell, source: 'const a = 2' } : cell)),
    }))
    changed()
    journal()
    await save()
    broken = null
    files.set('n.ts', two.replace('b = 1', 'b = 5'))
    await open()
    expect(state()).toMatchObject({ saving: 'changed', conflict: null })
    await vi.advanceTimersByTimeAsync(1000)
    expect(files.get('n.ts')).toBe(`${textOf(2)}\n// %% b\nconst b = 5\n`)
    expect(kept.size).toBe(0)
  })
})
