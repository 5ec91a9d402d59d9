import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { dropEntry, keepEntry, readEntry } from '../../../../renderer/session/files/journal.ts'
import { changed, journal, save } from '../../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../../renderer/session/open.ts'
import { useNotebook } from '../../../../renderer/session/state.ts'
import { restoreUnsaved } from '../../../../renderer/shell/showRoute.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'

const kept = new Map<string, string>()
const ORIGINAL = '// %% a\nconst a = 1\n'
const disk = { text: ORIGINAL, gone: false }

const host: Partial<Host> = {
  readNotebook: async (name) => ({ name, text: disk.text, revision: disk.text }),
  readOutputs: async () => [],
  writeNotebook: async (name, text, revision) => {
    if (disk.gone) throw new MixlabError('backend', '', 'the connection was lost')
    if (revision !== disk.text) throw new MixlabError('notebook', name, 'has changed on disk')
    disk.text = text
    return text
  },
}

beforeEach(async () => {
  kept.clear()
  Object.assign(disk, { text: ORIGINAL, gone: false })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  useConnection.setState({ host: host as Host, description: { version: '0', workspace: '/w', notebook: null } })
  useNotices.setState({ notice: null })
  await open()
})

async function open() {
  const file = await openNotebook('n.ts')
  if (file) restoreUnsaved(file)
}

function type(source: string) {
  useNotebook.setState(({ cells }) => ({ cells: cells.map((cell) => ({ ...cell, source })) }))
  changed()
  journal()
}
const shown = () => useNotebook.getState().cells[0]?.source

describe('the journal', () => {
  it('has what is not saved, and forgets it with the save', async () => {
    type('const a = 2')
    expect(readEntry('n.ts')?.cells).toEqual([{ id: 'a', kind: 'code', source: 'const a = 2' }])
    await save()
    expect(readEntry('n.ts')).toBeNull()
  })

  it('brings back what never reached the file, and saves it', async () => {
    disk.gone = true
    type('const a = 2')
    await save()
    disk.gone = false
    await open()
    expect(shown()).toBe('const a = 2')
    expect(useNotices.getState().notice?.text).toContain('are back')
    await save()
    expect(disk.text).toBe('// %% a\nconst a = 2\n')
    expect(kept.size).toBe(0)
  })

  it('can be undone', async () => {
    disk.gone = true
    type('const a = 2')
    await open()
    useNotices.getState().notice?.action?.run()
    expect(shown()).toBe('const a = 1')
  })

  it('brings back text that no file can hold', async () => {
    type('// %% two')
    await save()
    expect(disk.text).toBe(ORIGINAL)
    await open()
    expect(shown()).toBe('// %% two')
  })

  it('says nothing where the file has it all', async () => {
    type('const a = 2')
    disk.text = '// %% a\nconst a = 2\n'
    await open()
    expect(useNotices.getState().notice).toBeNull()
    expect(kept.size).toBe(0)
  })

  it('asks where the same cell changed in the file, too', async () => {
    disk.gone = true
    type('const a = 2')
    disk.text = '// %% a\nconst a = 3\n'
    await open()
    expect(useNotebook.getState().conflict).not.toBeNull()
    expect(shown()).toBe('const a = 2')
  })

  it('belongs to a workspace and a notebook', () => {
    keepEntry('a.ts', { cells: [], revision: null, base: '', sent: [] })
    expect(readEntry('b.ts')).toBeNull()
    useConnection.setState({ description: { version: '0', workspace: '/other', notebook: null } })
    expect(readEntry('a.ts')).toBeNull()
  })

  it('does without storage, or with a full one, and says so once', () => {
    const entry = { cells: [], revision: null, base: '', sent: [] }
    const notice = () => useNotices.getState().notice?.text
    expect(notice()).toBeUndefined()
    vi.stubGlobal('localStorage', undefined)
    keepEntry('a.ts', entry)
    expect(notice()).toContain('The storage of the browser is full or missing')
    expect(useNotices.getState().notice?.tone).toBe('bad')
    expect(readEntry('a.ts')).toBeNull()
    dropEntry('a.ts')
    useNotices.setState({ notice: null })
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('quota', 'QuotaExceededError')
      },
    })
    keepEntry('a.ts', entry)
    expect(notice()).toBeUndefined()
  })

  it('passes over what is not its own', () => {
    keepEntry('a.ts', { cells: [], revision: null, base: '', sent: [] })
    for (const text of [
      '{"cells":5}',
      '{"cells":[],"base":5}',
      '{"cells":5,"base":""}',
      '{"cells":[],"base":"","sent":5}',
      '',
    ]) {
      for (const key of kept.keys()) kept.set(key, text)
      expect(readEntry('a.ts')).toBeNull()
    }
  })
})
