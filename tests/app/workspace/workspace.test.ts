import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../app/store/index.ts'
import { binNotebook, listDeleted, unbinNotebook } from '../../../app/workspace/bin.ts'
import {
  listNotebooks,
  openWorkspace,
  openWorkspaceToRead,
  readNotebook,
  writeNotebook,
} from '../../../app/workspace/index.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { begun, freshFolder, sampleRun, storeAt } from '../store/samples.ts'

function thrownBy(work: () => unknown): MixlabError {
  try {
    work()
  } catch (error) {
    if (error instanceof MixlabError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('openWorkspace', () => {
  it('makes the folder and its inner folders, and opens it again', () => {
    const root = join(freshFolder(), 'a/b')
    const workspace = openWorkspace(root)
    expect(workspace).toEqual(openWorkspace(relative(process.cwd(), root)))
    expect(workspace.root).toBe(root)
    expect(readdirSync(join(root, '.mixlab')).sort()).toEqual(['history', 'objects', 'owners'])
  })

  it('resolves a link to the workspace', () => {
    const folder = freshFolder()
    const root = freshFolder()
    symlinkSync(root, join(folder, 'link'))
    expect(openWorkspace(join(folder, 'link')).root).toBe(root)
  })

  it('rejects a file, and a path below a file, naming the file', () => {
    const file = join(freshFolder(), 'file')
    writeFileSync(file, 'text')
    for (const path of [file, join(file, 'below'), join(file, 'far/below')]) {
      const error = thrownBy(() => openWorkspace(path))
      expect(error.code).toBe('store')
      expect(error.message).toBe(`${file}: is not a folder`)
    }
  })

  it('rejects a file in the place of the inner folder', () => {
    const root = freshFolder()
    writeFileSync(join(root, '.mixlab'), 'text')
    expect(thrownBy(() => openWorkspace(root)).message).toBe(`${join(root, '.mixlab')}: is not a folder`)
  })

  it('rejects a place where nothing can be made, naming it', () => {
    // Not even the superuser makes folders in these.
    const place = ['/proc', '/dev/fd'].find((path) => existsSync(path)) ?? join(import.meta.filename, 'x')
    for (const path of [join(place, 'work'), join(place, 'work/deeper')]) {
      const error = thrownBy(() => openWorkspace(path))
      expect(error.code).toBe('store')
      expect(path.startsWith(error.path)).toBe(true)
    }
  })
})

describe('openWorkspaceToRead', () => {
  it('gives a copy of the store of a workspace that cannot be opened to write', () => {
    const root = freshFolder()
    const store = storeAt(root)
    store.beginRun(sampleRun())
    store.close()
    rmSync(join(root, '.mixlab/owners'), { recursive: true })
    writeFileSync(join(root, '.mixlab/owners'), 'text') // stands for what denies access, to the superuser, too
    chmodSync(join(root, '.mixlab/mixlab.db'), 0o400)
    const before = readdirSync(root, { recursive: true })
    expect(() => openWorkspace(root)).toThrow('owners: is not a folder')
    const workspace = openWorkspaceToRead(root)
    expect(workspace).toMatchObject({ root, objects: join(root, '.mixlab/objects') })
    const copy = openStore(workspace)
    onTestFinished(() => copy.close())
    expect(copy.listRuns()).toHaveLength(1)
    expect(readdirSync(root, { recursive: true })).toEqual(before)
  })

  it('rejects a folder without a store as openWorkspace does', () => {
    const root = freshFolder()
    writeFileSync(join(root, '.mixlab'), 'text')
    expect(() => openWorkspaceToRead(root)).toThrow('.mixlab: is not a folder')
  })
})

const modeOf = (path: string) => statSync(path).mode & 0o777

it.skipIf(process.platform === 'win32')(
  'keeps what is in .mixlab from other users, also of a workspace from before',
  () => {
    const folder = freshFolder()
    const { inner } = openWorkspace(folder)
    expect(modeOf(inner)).toBe(0o700)
    storeAt(folder).close()
    chmodSync(inner, 0o755)
    chmodSync(join(inner, 'mixlab.db'), 0o644)

    const store = storeAt(folder)
    const id = begun(store.beginRun(sampleRun()))
    const weights = new Uint8Array(9)
    store.record(id, [
      { type: 'start', steps: 9, parameters: 7, resumedAt: 0 },
      { type: 'checkpoint', step: 1, weights, state: weights },
    ])
    expect(modeOf(inner)).toBe(0o700)
    const databases = readdirSync(inner).filter((name) => name.startsWith('mixlab.db'))
    expect(databases.map((name) => [name, modeOf(join(inner, name))])).toEqual(databases.map((name) => [name, 0o600]))
    const objects = join(inner, 'objects')
    const [shelf = ''] = readdirSync(objects)
    for (const name of readdirSync(join(objects, shelf))) expect(modeOf(join(objects, shelf, name))).toBe(0o600)
    store.close()
  },
)

describe('the bin', () => {
  it('keeps several of one name, the last one first, and gives each back its own text', () => {
    const workspace = openWorkspace(freshFolder())
    const deleted = ['one', 'two'].map((text) => {
      writeNotebook(workspace, 'a.ts', text, null)
      return binNotebook(workspace, 'a.ts')
    })
    expect(listDeleted(workspace).map(({ id }) => id)).toEqual(deleted.map(({ id }) => id).reverse())
    expect(deleted.map(({ id }) => unbinNotebook(workspace, id))).toEqual(['a.ts', 'a-2.ts'])
    expect(listNotebooks(workspace).map((name) => readNotebook(workspace, name).text)).toEqual(['two', 'one'])
    expect(listDeleted(workspace)).toEqual([])
  })

  it('takes nothing else for a deleted notebook, and nothing outside of the bin', () => {
    const workspace = openWorkspace(freshFolder())
    mkdirSync(workspace.bin)
    for (const name of ['a.ts', '2026-11-22T10-00-00.000Z .hidden.ts', 'notes'])
      writeFileSync(join(workspace.bin, name), '')
    expect(listDeleted(workspace)).toEqual([])
    for (const id of ['../history', 'a.ts', '']) expect(() => unbinNotebook(workspace, id)).toThrow('is not in the bin')
  })
})
