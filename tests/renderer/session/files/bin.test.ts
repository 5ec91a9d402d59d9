import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { deleteNotebook } from '../../../../renderer/session/files/bin.ts'
import { EMPTY, IDLE, useNotebook } from '../../../../renderer/session/state.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'

let here: string[]
let bin: string[]
const host: Partial<Host> = {
  listNotebooks: async () => here,
  async deleteNotebook(name) {
    if (!here.includes(name)) throw new MixlabError('notebook', name, 'no such notebook')
    here = here.filter((each) => each !== name)
    bin.push(name)
    return { id: `T ${name}`, name, at: 1 }
  },
  async restoreNotebook(id) {
    const name = here.includes(id.slice(2)) ? 'a-2.ts' : id.slice(2)
    bin = []
    here.push(name)
    return name
  },
}
const notice = () => useNotices.getState().notice

beforeEach(() => {
  here = ['a.ts', 'b.ts']
  bin = []
  vi.stubGlobal('location', { hash: '#/notebook/a.ts' })
  useConnection.setState({ host: host as Host })
  useNotebook.setState({ ...EMPTY, name: 'a.ts' })
})

describe('deleting', () => {
  it('closes the open notebook, and Undo brings it back', async () => {
    await deleteNotebook('a.ts')
    expect(bin).toEqual(['a.ts'])
    expect(useNotebook.getState().name).toBeNull()
    expect(location.hash).not.toContain('a.ts')
    expect(useConnection.getState().notebooks).toEqual(['b.ts'])
    notice()?.action?.run()
    await expect.poll(() => location.hash).toBe('#/notebook/a.ts')
    expect(useConnection.getState().notebooks).toContain('a.ts')
  })

  it('leaves the open notebook where another is deleted', async () => {
    await deleteNotebook('b.ts')
    expect(useNotebook.getState().name).toBe('a.ts')
    expect(location.hash).toBe('#/notebook/a.ts')
  })

  it('waits for what runs, and says why it cannot be', async () => {
    useNotebook.setState({ states: { a: { ...IDLE, phase: 'running' } } })
    await deleteNotebook('a.ts')
    expect(notice()?.text).toBe("'a.ts' is running. Interrupt it before you delete it.")
    await deleteNotebook('none.ts')
    expect(notice()?.text).toBe('Not deleted: none.ts: no such notebook')
    expect(bin).toEqual([])
  })

  it('says which name a notebook came back with', async () => {
    await deleteNotebook('a.ts')
    const undo = notice()?.action?.run
    here.push('a.ts')
    undo?.()
    await expect.poll(() => notice()?.text).toBe("It is 'a-2.ts' now, for its name was taken.")
  })
})
