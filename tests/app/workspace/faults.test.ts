import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openObjects } from '../../../app/store/objects.ts'
import { writeAtomic } from '../../../app/workspace/atomic.ts'
import {
  listVersions,
  openWorkspace,
  readNotebook,
  readVersion,
  renameNotebook,
  type Workspace,
  writeNotebook,
} from '../../../app/workspace/index.ts'
import { disk } from '../../faults/disk.ts'
import { freshFolder, range } from '../store/samples.ts'

vi.mock('node:fs', async () => (await import('../../faults/disk.ts')).failingFs())
afterEach(() => disk.forget())

const CUTS = ['renames kept', 'renames lost'] as const

/** A file that says 'old', on the disk for good. */
function oldFile(): string {
  const path = join(freshFolder(), 'file')
  writeFileSync(path, 'old')
  disk.forget()
  return path
}

describe('writeAtomic', () => {
  it.each(CUTS)('leaves the old or the new content wherever the machine dies: %s', (cut) => {
    const found = range(0, 5).map((at) => {
      const path = oldFile()
      expect(disk.failing(at, 'death', () => writeAtomic(path, 'something new'))).not.toBeNull()
      disk.powerCut(cut)
      return readFileSync(path, 'utf8')
    })
    expect(found).toEqual(['old', 'old', 'old', 'old', cut === 'renames kept' ? 'something new' : 'old'])
  })

  it.each(CUTS)('has the new content for good once it returns: %s', (cut) => {
    const path = oldFile()
    writeAtomic(path, 'something new')
    disk.powerCut(cut)
    expect(readFileSync(path, 'utf8')).toBe('something new')
  })

  it.each(['ENOSPC', 'EIO'] as const)('leaves nothing beside the file where the system refuses: %s', (kind) => {
    for (const at of range(0, 5)) {
      const path = oldFile()
      expect(disk.failing(at, kind, () => writeAtomic(path, 'something new'))).toMatchObject({ code: kind })
      expect(readdirSync(join(path, '..'))).toEqual(['file'])
      expect(readFileSync(path, 'utf8')).toBe(at < 4 ? 'old' : 'something new')
    }
  })

  it('takes no file that another has begun', () => {
    const path = oldFile()
    const begun: string[] = []
    disk.before = (operation, at) => void (operation === 'open' && begun.push(at))
    writeAtomic(path, 'a')
    writeAtomic(path, 'b')
    expect(new Set(begun).size).toBe(2)
  })
})

describe('an object', () => {
  const content = new TextEncoder().encode('weights of a model')

  it.each(CUTS)('is whole or not there, and can be written again, wherever the machine dies: %s', (cut) => {
    for (const at of range(0, 5)) {
      const objects = openObjects(freshFolder())
      disk.failing(at, 'death', () => objects.write(content))
      disk.powerCut(cut)
      for (const hash of objects.list()) expect(objects.read(hash)).toEqual(content)
      const hash = objects.write(content)
      disk.powerCut(cut)
      expect(objects.read(hash)).toEqual(content)
    }
  })

  it('names the disk that is full, and is written once there is space', () => {
    for (const at of range(0, 4)) {
      const objects = openObjects(freshFolder())
      const refused = disk.failing(at, 'ENOSPC', () => objects.write(content))
      expect(refused).toMatchObject({ code: 'store', message: expect.stringContaining('the disk is full') })
      expect(objects.list()).toEqual([])
      expect(objects.read(objects.write(content))).toEqual(content)
    }
  })
})

/** A workspace whose notebook a.ts says 'one'. */
function workspaceWith(): { workspace: Workspace; revision: string } {
  const workspace = openWorkspace(freshFolder())
  const revision = writeNotebook(workspace, 'a.ts', 'one', null)
  disk.forget()
  return { workspace, revision }
}
const versionsOf = (workspace: Workspace, name: string) =>
  listVersions(workspace, name).map(({ at }) => readVersion(workspace, name, at))

describe('a notebook', () => {
  it.each(CUTS)('that is replaced is in its history, wherever the machine dies: %s', (cut) => {
    const { workspace: counted, revision: at0 } = workspaceWith()
    const changes = disk.changesOf(() => writeNotebook(counted, 'a.ts', 'number two', at0))
    const found = range(0, changes.length).map((at) => {
      const { workspace, revision } = workspaceWith()
      disk.failing(at, 'death', () => writeNotebook(workspace, 'a.ts', 'number two', revision))
      disk.powerCut(cut)
      const { text } = readNotebook(workspace, 'a.ts')
      expect(['one', 'number two']).toContain(text)
      if (text === 'number two') expect(versionsOf(workspace, 'a.ts')).toEqual(['one'])
      return text
    })
    expect(found[0]).toBe('one')
  })

  it('that cannot be written says why and stays, and is written once there is space', () => {
    const { workspace, revision } = workspaceWith()
    for (const at of range(0, 9)) {
      const refused = disk.failing(at, 'ENOSPC', () => writeNotebook(workspace, 'a.ts', 'number two', revision))
      expect(refused).toMatchObject({ code: 'notebook', message: 'a.ts: cannot be written: the disk is full' })
      expect(readNotebook(workspace, 'a.ts').text).toBe('one')
    }
    writeNotebook(workspace, 'a.ts', 'number two', revision)
    expect(new Set(versionsOf(workspace, 'a.ts'))).toEqual(new Set(['one']))
  })

  it('that was half written by another program is refused, not taken for ours', () => {
    const { workspace, revision } = workspaceWith()
    writeFileSync(join(workspace.root, 'a.ts'), 'on')
    expect(() => writeNotebook(workspace, 'a.ts', 'number two', revision)).toThrow('has changed on disk')
    expect(readFileSync(join(workspace.root, 'a.ts'), 'utf8')).toBe('on')
  })

  it('loses no text while it gets another name, wherever the machine dies', () => {
    const renamed = (at: number) => {
      const { workspace, revision } = workspaceWith()
      writeNotebook(workspace, 'a.ts', 'number two', revision)
      mkdirSync(join(workspace.history, 'b.ts'), { recursive: true })
      disk.forget()
      disk.failing(at, 'death', () => renameNotebook(workspace, 'a.ts', 'b.ts'))
      disk.powerCut('renames kept')
      const texts = ['a.ts', 'b.ts'].flatMap((name) => versionsOf(workspace, name))
      const kept = readdirSync(workspace.root).filter((name) => name.endsWith('.ts'))
      return [kept.map((name) => readNotebook(workspace, name).text), texts]
    }
    for (const at of range(0, 3)) expect(renamed(at)).toEqual([['number two'], ['one']])
  })
})
