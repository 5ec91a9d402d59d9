import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { duplicateNotebook, freeName, newNotebook, takeFresh } from '../../../../renderer/session/files/files.ts'
import { followRenames, renameOpenNotebook } from '../../../../renderer/session/files/rename.ts'
import { EMPTY, useNotebook } from '../../../../renderer/session/state.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'

const files = new Map<string, string>()
const OUTPUT = { cell: 'a', fingerprint: 'f', output: 1 }
const stored: unknown[] = []
const host: Partial<Host> = {
  listNotebooks: async () => [...files.keys()],
  writeNotebook: async (name, text) => {
    files.set(name, text)
    return 'r'
  },
  readNotebook: async (name) => ({ name, text: files.get(name) ?? '', revision: 'r' }),
  readOutputs: async () => [OUTPUT],
  writeOutput: async (...given) => void stored.push(given),
  renameNotebook: async (from, to) => {
    if (files.has(to)) throw new MixlabError('notebook', to, 'exists already')
    files.set(to, files.get(from) ?? '')
    files.delete(from)
  },
}

beforeEach(() => {
  files.clear()
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('history', {
    replaceState(_: unknown, __: string, hash: string) {
      location.hash = hash
    },
  })
  useConnection.setState({ host: host as Host })
  useNotebook.setState({ ...EMPTY, name: 'a.ts' })
  files.set('a.ts', '')
})

describe('a new notebook', () => {
  it('is a file with one cell at once, and is shown', async () => {
    await Promise.all([newNotebook(), newNotebook()]) // e.g. by a click and the space bar
    await newNotebook()
    expect(takeFresh('untitled.ts')).toBe(true)
    await newNotebook()
    expect([...files]).toEqual([
      ['a.ts', ''],
      ['untitled.ts', '// %%\n'],
      ['untitled-2.ts', '// %%\n'],
    ])
    expect(location.hash).toBe('#/notebook/untitled-2.ts')
    expect(useConnection.getState().notebooks).toContain('untitled.ts')
  })

  it('gets a name that is free', () => {
    expect(freeName('untitled', ['untitled.ts', 'untitled-3.ts'])).toBe('untitled-2.ts')
  })
})

it('a copy has the text and what the cells show', async () => {
  files.set('a.ts', '// %% a\n1\n')
  await duplicateNotebook('a.ts')
  expect(files.get('a-copy.ts')).toBe('// %% a\n1\n')
  expect(stored).toEqual([['a-copy.ts', OUTPUT]])
  expect(location.hash).toBe('#/notebook/a-copy.ts')
})

describe('naming', () => {
  it('moves the file and the page with it', async () => {
    expect(await renameOpenNotebook('gates')).toBe(true)
    expect([...files.keys()]).toEqual(['gates.ts'])
    expect(useNotebook.getState().name).toBe('gates.ts')
    expect(location.hash).toBe('#/notebook/gates.ts')
  })

  it('is followed by another tab, which saves there what it has not saved, and not by one that shows another notebook', async () => {
    const end = followRenames()
    onTestFinished(end)
    const tab = new BroadcastChannel('mixlab.renamed')
    onTestFinished(() => tab.close())
    const cells = [{ key: 'k', id: 'a', kind: 'code' as const, source: 'typed' }]
    useNotebook.setState({ cells: cells as never, saving: 'changed', fileDeleted: true })
    files.delete('a.ts')
    tab.postMessage({ from: 'other.ts', to: 'c.ts' })
    tab.postMessage({ from: 'a.ts', to: 'b.ts' })
    await expect.poll(() => files.get('b.ts')).toContain('typed')
    expect([...files.keys()]).toEqual(['b.ts'])
    expect(useNotebook.getState()).toMatchObject({ name: 'b.ts', fileDeleted: false })
    expect(location.hash).toBe('#/notebook/b.ts')
  })

  it('tells why it is not possible', async () => {
    files.set('b.ts', '')
    expect(await renameOpenNotebook('b.ts')).toBe(false)
    expect(useNotebook.getState().name).toBe('a.ts')
    expect(useNotices.getState().notice?.text).toContain('b.ts: exists already')
  })
})
