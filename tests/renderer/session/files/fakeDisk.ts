import { vi } from 'vitest'
import { MixlabError } from '../../../../engine/errors.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { readEntry } from '../../../../renderer/session/files/journal.ts'
import { changed } from '../../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../../renderer/session/open.ts'
import { useNotebook } from '../../../../renderer/session/state.ts'
import { restoreUnsaved } from '../../../../renderer/shell/showRoute.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'
import { stubStorage } from '../../storage.ts'

// A workspace in memory, and a page on a notebook of it.

export const LOST = new MixlabError('backend', '', 'the connection to the workspace was lost')
export const CHANGED = new MixlabError('notebook', 'n.ts', 'changed on disk')

/** The files of a workspace, whose revisions are their texts, and what becomes of writes. */
export const files = new Map<string, string>()
export const disk = {
  /** A write that is under way does not end before this does. */
  gate: Promise.resolve() as Promise<void>,
  fail: null as Error | null,
  /** Writes are made, and their answers get lost. */
  mute: false,
  writes: 0,
}
export const host: Host = {
  listNotebooks: async () => [...files.keys()],
  async readNotebook(name: string) {
    const text = files.get(name)
    if (text === undefined) throw new MixlabError('notebook', name, 'no such notebook')
    return { name, text, revision: text }
  },
  readOutputs: async () => [],
  async writeNotebook(name: string, text: string, revision: string | null) {
    disk.writes++
    await disk.gate
    if (disk.fail) throw disk.fail
    if (revision !== (files.get(name) ?? null)) throw CHANGED
    files.set(name, text)
    if (disk.mute) throw LOST
    return text
  },
} as unknown as Host

export const textOf = (value: number) => `// %% a\nconst a = ${value}\n`
export const [ORIGINAL, MINE, THEIRS] = [1, 2, 3].map(textOf) as [string, string, string]
export const TWO = `${ORIGINAL}\n// %% b\nconst b = 1\n`

export const state = () => useNotebook.getState()
export const sources = () => state().cells.map(({ source }) => source)
export const onDisk = () => files.get('n.ts')
export const journalled = () => readEntry('n.ts')?.cells.map(({ source }) => source)
export const notice = () => useNotices.getState().notice
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

export async function open(text?: string, name = 'n.ts') {
  if (text !== undefined) files.set(name, text)
  const file = await openNotebook(name)
  if (file) restoreUnsaved(file)
}
export function type(source: string, id = 'a') {
  useNotebook.setState(({ cells }) => ({ cells: cells.map((cell) => (cell.id === id ? { ...cell, source } : cell)) }))
  changed()
}
/** A write that lasts until it is let go. */
export function slowWrite(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  disk.gate = promise
  return resolve
}

/** What the storage of the browser keeps. */
export const kept = new Map<string, string>()

/** Opens a notebook that is as it is in its file, with a storage that is empty. */
export async function begin(): Promise<void> {
  vi.useFakeTimers()
  kept.clear()
  stubStorage('localStorage', kept)
  files.clear()
  files.set('other.ts', ORIGINAL)
  Object.assign(disk, { gate: Promise.resolve(), fail: null, mute: false })
  useConnection.setState({ host: { ...host }, description: { version: '0', workspace: '/w', notebook: null } })
  useNotices.setState({ notice: null })
  await open(ORIGINAL)
  await vi.runAllTimersAsync() // of opening
  disk.writes = 0
}

export async function end(): Promise<void> {
  disk.fail = null
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  vi.unstubAllGlobals()
}
