import { beforeEach, describe, expect, it } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import type { Host } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { openNotebook } from '../../../renderer/notebook/open.ts'
import { changed, keepMine, lookAtDisk, save, takeTheirs } from '../../../renderer/notebook/save.ts'
import { useNotebook } from '../../../renderer/notebook/state.ts'
import { useNotices } from '../../../renderer/shell/notices.ts'

/** A workspace with one notebook, whose revision is its text. */
function workspace(text: string) {
  const disk = { text, fail: null as Error | null }
  const host: Partial<Host> = {
    readNotebook: async (name) => ({ name, text: disk.text, revision: disk.text }),
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

function type(source: string) {
  useNotebook.setState(({ cells }) => ({ cells: cells.map((cell) => ({ ...cell, source })) }))
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

  it('refuses text that would start a cell, and says so', async () => {
    type('// %% two')
    await save()
    expect(state().saving).toBe('failed')
    expect(state().saveError).toContain('would start a new cell')
    expect(disk.text).toBe(ORIGINAL)
  })
})

describe('a file that was changed by someone else', () => {
  beforeEach(async () => {
    disk.text = THEIRS
    type('const a = 2')
    await save()
  })

  it('is left alone until the user decides', async () => {
    expect(state().conflict?.text).toBe(THEIRS)
    await save()
    expect(disk.text).toBe(THEIRS)
    expect(shown()).toBe('const a = 2')
  })

  it('is overwritten by keeping mine, and can be had back', async () => {
    keepMine()
    await save()
    expect(disk.text).toBe(MINE)
    useNotices.getState().notice?.action?.run()
    await save()
    expect(disk.text).toBe(THEIRS)
  })

  it('is shown by taking theirs, and mine can be had back', async () => {
    takeTheirs()
    expect(shown()).toBe('const a = 3')
    expect(state()).toMatchObject({ saving: 'saved', conflict: null })
    useNotices.getState().notice?.action?.run()
    await save()
    expect(disk.text).toBe(MINE)
  })
})

describe('looking at the disk', () => {
  it('shows a new text where nothing of ours is lost', async () => {
    disk.text = THEIRS
    await lookAtDisk()
    expect(shown()).toBe('const a = 3')
    expect(state().conflict).toBeNull()
  })

  it('asks where something of ours would be lost', async () => {
    disk.text = THEIRS
    type('const a = 2')
    await lookAtDisk()
    expect(shown()).toBe('const a = 2')
    expect(state().conflict?.text).toBe(THEIRS)
  })
})
