import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../app/store/index.ts'
import { openWorkspace, openWorkspaceToRead } from '../../../app/workspace/index.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { freshFolder, sampleRun, storeAt } from '../store/samples.ts'

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
