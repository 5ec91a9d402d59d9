import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDataFiles, openWorkspace } from '../../../app/workspace/index.ts'
import type { FileSource } from '../../../engine/data/files.ts'
import { freshFolder } from '../store/samples.ts'

interface Place {
  root: string
  outside: string
  allowed: string[]
  files: FileSource
}

/** A workspace with `data/one.bin`, and a folder outside of it with `secret.bin`. */
function place(unrestricted = false): Place {
  const workspace = openWorkspace(freshFolder())
  const { root } = workspace
  const outside = freshFolder()
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'data/one.bin'), new Uint8Array([1, 2, 3]))
  writeFileSync(join(outside, 'secret.bin'), new Uint8Array([7]))
  const allowed: string[] = []
  return { root, outside, allowed, files: openDataFiles({ workspace, allowed: () => allowed, unrestricted }) }
}

const denied = { code: 'permission', message: expect.stringContaining('--data DIR, or with the Allow button') }

describe('data files', () => {
  it('are read relative to the workspace, or by absolute path', async () => {
    const { root, files } = place()
    expect(await files.read('data/one.bin')).toEqual(new Uint8Array([1, 2, 3]))
    expect(await files.read(join(root, 'data/../data/one.bin'))).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('are listed sorted, with kind and size; what leads nowhere, round in a circle or is a pipe is told apart', async () => {
    const { root, outside, files } = place()
    for (const name of ['b', 'a', 'B']) mkdirSync(join(root, 'data', name))
    symlinkSync('nothing', join(root, 'data/broken'))
    symlinkSync('..', join(root, 'data/round'))
    symlinkSync('one.bin', join(root, 'data/inside'))
    symlinkSync(join(outside, 'secret.bin'), join(root, 'data/outside'))
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'data/pipe')])
    expect(await files.list('data')).toEqual([
      { name: 'B', kind: 'folder', size: 0 },
      { name: 'a', kind: 'folder', size: 0 },
      { name: 'b', kind: 'folder', size: 0 },
      { name: 'broken', kind: 'other', size: 0 },
      { name: 'inside', kind: 'file', size: 3 },
      { name: 'one.bin', kind: 'file', size: 3 },
      { name: 'outside', kind: 'file', size: 0 },
      ...(process.platform === 'win32' ? [] : [{ name: 'pipe', kind: 'other', size: 0 }]),
      { name: 'round', kind: 'other', size: 0 },
    ])
    expect(await files.list('.')).toEqual([{ name: 'data', kind: 'folder', size: 0 }])
  })

  it('in two folders with links to each other are listed once around', async () => {
    const { root, files } = place()
    for (const [name, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      mkdirSync(join(root, 'data', name))
      symlinkSync(join('..', other), join(root, 'data', name, 'next'))
    }
    expect(await files.list('data/a')).toEqual([{ name: 'next', kind: 'folder', size: 0 }])
    expect(await files.list('data/a/next')).toEqual([{ name: 'next', kind: 'other', size: 0 }])
  })

  it('outside the workspace are denied, whether they exist or not', async () => {
    const { outside, files } = place()
    const paths = [outside, join(outside, 'secret.bin'), join(outside, 'nothing'), '..', '../x', '/', '/etc/passwd']
    for (const path of paths) {
      await expect(files.read(path)).rejects.toMatchObject({ ...denied, path })
      await expect(files.list(path)).rejects.toMatchObject({ ...denied, path })
    }
  })

  it('behind a link that leaves the workspace are denied', async () => {
    const { root, outside, files } = place()
    symlinkSync(outside, join(root, 'link'))
    symlinkSync(join(outside, 'secret.bin'), join(root, 'link.bin'))
    for (const path of ['link/secret.bin', 'link/nothing', 'link.bin', 'data/../link/secret.bin']) {
      await expect(files.read(path)).rejects.toMatchObject(denied)
    }
    await expect(files.list('link')).rejects.toMatchObject(denied)
  })

  it('in an allowed folder, or allowed one by one, are read from then on', async () => {
    const { outside, allowed, files } = place()
    const secret = join(outside, 'secret.bin')
    allowed.push(secret)
    expect(await files.read(secret)).toEqual(new Uint8Array([7]))
    await expect(files.list(outside)).rejects.toMatchObject(denied)
    allowed.push(outside)
    expect(await files.list(outside)).toEqual([{ name: 'secret.bin', kind: 'file', size: 1 }])
    await expect(files.read(`${outside}-beside/x`)).rejects.toMatchObject(denied)
  })

  it("never are the workspace's own store, not even where all around it is allowed", async () => {
    const { root, allowed, files } = place()
    allowed.push('/')
    writeFileSync(join(root, '.mixlab/mixlab.db'), 'x')
    symlinkSync('.mixlab', join(root, 'alias'))
    for (const path of ['.mixlab', '.mixlab/mixlab.db', 'data/../.mixlab/mixlab.db', 'alias/mixlab.db']) {
      const error = { code: 'permission', message: expect.stringContaining("belongs to the workspace's own store") }
      await expect(files.read(path)).rejects.toMatchObject(error)
    }
    expect((await files.list(root)).map((entry) => entry.name)).toEqual(['data'])
  })

  it('are read anywhere where nothing is restricted', async () => {
    const { root, outside, files } = place(true)
    symlinkSync(outside, join(root, 'link'))
    expect(await files.read(join(outside, 'secret.bin'))).toEqual(new Uint8Array([7]))
    expect(await files.list('link')).toEqual([{ name: 'secret.bin', kind: 'file', size: 1 }])
    await expect(files.read(join(outside, 'nothing'))).rejects.toMatchObject({ code: 'data' })
  })

  it.each([
    ['read', 'nothing', 'nothing: does not exist'],
    ['read', 'data/one.bin/x', 'data/one.bin/x: lies below something that is not a folder'],
    ['read', 'data', 'data: is not a file'],
    ['list', 'data/one.bin', 'data/one.bin: is not a folder'],
    ['list', 'nothing', 'nothing: does not exist'],
    ['read', '', 'not a path; allowed is one relative to the workspace, or absolute'],
    ['read', 'a\0b', 'not a path'],
  ] as const)('say why they cannot be had: %s %j', async (call, path, message) => {
    const { files } = place()
    await expect(files[call](path)).rejects.toMatchObject({ code: 'data', message: expect.stringContaining(message) })
  })

  it('that are missing: the folder that was searched is named, and what is written like them', async () => {
    const { root, outside, files } = place()
    mkdirSync(join(root, 'pics'))
    const said = (path: string) => files.list(path).catch(({ message }) => message)
    expect(await said('pcis')).toBe(`pcis: does not exist: ${root} has no 'pcis' (did you mean 'pics'?)`)
    expect(await said('pcis/cats')).toBe(`pcis/cats: does not exist: ${root} has no 'pcis' (did you mean 'pics'?)`)
    expect(await said('data/photos')).toBe(`data/photos: does not exist: ${join(root, 'data')} has no 'photos'`)
    expect(await said(join(outside, 'secert.bin'))).not.toContain('secret')
    writeFileSync(join(root, 'notes.ts'), '')
    expect(await said('notes.t')).not.toContain('mean') // notebooks are no data
  })

  it('behind a loop of links say so', async () => {
    const { root, files } = place()
    symlinkSync('loop', join(root, 'loop'))
    await expect(files.read('loop')).rejects.toMatchObject({ code: 'data', message: expect.stringContaining('loop') })
  })

  it('that Git LFS has not fetched say so', async () => {
    const { root, files } = place()
    writeFileSync(
      join(root, 'p.png'),
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`,
    )
    await expect(files.read('p.png')).rejects.toThrow('p.png: is a pointer of Git LFS, not the file itself')
  })

  it('that are devices are not read without end', async () => {
    const { files } = place(true)
    await expect(files.read(devNull)).rejects.toMatchObject({ code: 'data' })
  })
})
