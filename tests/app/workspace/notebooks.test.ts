import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  listNotebooks,
  openWorkspace,
  readNotebook,
  renameNotebook,
  type Workspace,
  writeNotebook,
} from '../../../app/workspace/index.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { freshFolder } from '../store/samples.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function history({ history }: Workspace, name: string): string[] {
  const folder = join(history, name)
  const files = readdirSync(folder).sort()
  expect(files.every((file) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.ts$/.test(file))).toBe(true)
  return files.map((file) => readFileSync(join(folder, file), 'utf8'))
}

describe('listNotebooks', () => {
  it('lists the notebooks in the root, sorted, and nothing else', () => {
    const workspace = openWorkspace(freshFolder())
    for (const name of ['b.ts', 'a.ts', '.hidden.ts', 'types.d.ts', 'notes.md', 'a.tsx', '.ts']) {
      writeFileSync(join(workspace.root, name), '')
    }
    mkdirSync(join(workspace.root, 'folder.ts'))
    symlinkSync('a.ts', join(workspace.root, 'link.ts'))
    symlinkSync('loop.ts', join(workspace.root, 'loop.ts'))
    symlinkSync('/etc/passwd', join(workspace.root, 'outside.ts'))
    expect(listNotebooks(workspace)).toEqual(['a.ts', 'b.ts', 'link.ts'])
  })

  it('says that the workspace is gone when it is', () => {
    const workspace = openWorkspace(freshFolder())
    rmSync(workspace.root, { recursive: true })
    expect(() => listNotebooks(workspace)).toThrow(`${workspace.root}: cannot be read: does not exist`)
  })
})

describe('readNotebook', () => {
  it('gives the text with its SHA-256 as revision', () => {
    const workspace = openWorkspace(freshFolder())
    const text = '\uFEFF// %% é\r\nconst a = 1\r\n'
    writeFileSync(join(workspace.root, 'a.ts'), text)
    expect(readNotebook(workspace, 'a.ts')).toEqual({ name: 'a.ts', text, revision: sha256(text) })
  })

  it('says what is close to an unknown name', () => {
    const workspace = openWorkspace(freshFolder())
    expect(() => readNotebook(workspace, 'a.ts')).toThrow(/^a\.ts: no such notebook$/)
    writeFileSync(join(workspace.root, 'gating.ts'), '')
    expect(() => readNotebook(workspace, 'gatign.ts')).toThrow(
      "gatign.ts: no such notebook (did you mean 'gating.ts'?)",
    )
  })

  it('rejects what is not UTF-8 rather than change it', () => {
    const workspace = openWorkspace(freshFolder())
    writeFileSync(join(workspace.root, 'a.ts'), new Uint8Array([0x61, 0xff]))
    expect(() => readNotebook(workspace, 'a.ts')).toThrow('a.ts: is not UTF-8 text')
    expect(() => writeNotebook(workspace, 'a.ts', 'text', null)).toThrow('a.ts: is not UTF-8 text')
    expect([...readFileSync(join(workspace.root, 'a.ts'))]).toEqual([0x61, 0xff])
  })
})

describe('writeNotebook', () => {
  it('makes a notebook, and replaces it at its revision with the old text kept', () => {
    const workspace = openWorkspace(freshFolder())
    const first = writeNotebook(workspace, 'a.ts', 'one', null)
    expect(first).toBe(sha256('one'))
    const second = writeNotebook(workspace, 'a.ts', 'two', first)
    const third = writeNotebook(workspace, 'a.ts', 'three', second)
    expect(readNotebook(workspace, 'a.ts')).toEqual({ name: 'a.ts', text: 'three', revision: third })
    expect(history(workspace, 'a.ts')).toEqual(['one', 'two'])
    expect(readdirSync(workspace.root).sort()).toEqual(['.mixlab', 'a.ts'])
  })

  it('keeps every text of many quick writes', () => {
    const workspace = openWorkspace(freshFolder())
    const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`)
    texts.reduce<string | null>((revision, text) => writeNotebook(workspace, 'a.ts', text, revision), null)
    expect(history(workspace, 'a.ts')).toEqual(texts.slice(0, -1))
  })

  it('writes nothing where the text is there already', () => {
    const workspace = openWorkspace(freshFolder())
    const revision = writeNotebook(workspace, 'a.ts', 'same', null)
    const before = statSync(join(workspace.root, 'a.ts')).ino
    expect(writeNotebook(workspace, 'a.ts', 'same', revision)).toBe(revision)
    expect(writeNotebook(workspace, 'a.ts', 'same', null)).toBe(revision)
    expect(statSync(join(workspace.root, 'a.ts')).ino).toBe(before)
    expect(readdirSync(workspace.history)).toEqual([])
  })

  it('rejects a write over a change, over an unseen notebook and over a deletion', () => {
    const workspace = openWorkspace(freshFolder())
    const revision = writeNotebook(workspace, 'a.ts', 'one', null)
    writeFileSync(join(workspace.root, 'a.ts'), 'from an editor')
    const write = (at: string | null) => () => writeNotebook(workspace, 'a.ts', 'two', at)
    expect(write(revision)).toThrow('a.ts: has changed on disk since it was read')
    expect(write(null)).toThrow('a.ts: exists already')
    expect(readFileSync(join(workspace.root, 'a.ts'), 'utf8')).toBe('from an editor')
    rmSync(join(workspace.root, 'a.ts'))
    expect(write(revision)).toThrow('a.ts: was deleted since it was read')
    expect(write(null)()).toBe(sha256('two'))
  })

  it('keeps the mode of the file, and writes through a link inside the workspace', () => {
    const workspace = openWorkspace(freshFolder())
    const revision = writeNotebook(workspace, 'a.ts', 'one', null)
    chmodSync(join(workspace.root, 'a.ts'), 0o640)
    const { mode } = statSync(join(workspace.root, 'a.ts'))
    symlinkSync('a.ts', join(workspace.root, 'link.ts'))
    writeNotebook(workspace, 'link.ts', 'two', revision)
    expect(readNotebook(workspace, 'a.ts').text).toBe('two')
    expect(statSync(join(workspace.root, 'a.ts')).mode).toBe(mode)
  })

  it.each([
    '../x.ts',
    '/tmp/x.ts',
    'a/b.ts',
    'a\\b.ts',
    'C:x.ts',
    '..ts',
    'a..ts',
    '.ts',
    '.a.ts',
    'a.d.ts',
    'a.js',
    'a.ts.txt',
    '',
    'a\0.ts',
    'a\n.ts',
    `${'x'.repeat(300)}.ts`,
  ])('rejects the name %j for reading and writing', (name) => {
    const workspace = openWorkspace(freshFolder())
    for (const work of [() => readNotebook(workspace, name), () => writeNotebook(workspace, name, 'text', null)]) {
      expect(work).toThrow(MixlabError)
      expect(work).toThrow("not a notebook name; allowed is a file name such as 'notes.ts', no folders")
    }
    expect(readdirSync(workspace.root)).toEqual(['.mixlab'])
  })

  it('follows no link out of the workspace, not even one to nothing', () => {
    const workspace = openWorkspace(freshFolder())
    const outside = freshFolder()
    writeFileSync(join(outside, 'secret'), 'secret')
    symlinkSync(join(outside, 'secret'), join(workspace.root, 'a.ts'))
    symlinkSync(join(outside, 'nothing'), join(workspace.root, 'b.ts'))
    for (const name of ['a.ts', 'b.ts']) {
      expect(() => readNotebook(workspace, name)).toThrow(`${name}: is not a file in the workspace`)
      expect(() => writeNotebook(workspace, name, 'text', null)).toThrow(`${name}: is not a file in the workspace`)
    }
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret')
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  it('leaves nothing half done where the old text cannot be kept', () => {
    const workspace = openWorkspace(freshFolder())
    const revision = writeNotebook(workspace, 'a.ts', 'one', null)
    writeFileSync(join(workspace.history, 'a.ts'), 'a file where a folder belongs')
    expect(() => writeNotebook(workspace, 'a.ts', 'two', revision)).toThrow(/is not a folder/)
    expect(readNotebook(workspace, 'a.ts').text).toBe('one')
  })
})

describe('renameNotebook', () => {
  it('moves the file and its history', () => {
    const workspace = openWorkspace(freshFolder())
    const revision = writeNotebook(workspace, 'a.ts', 'one', null)
    writeNotebook(workspace, 'a.ts', 'two', revision)
    renameNotebook(workspace, 'a.ts', 'b.ts')
    expect(listNotebooks(workspace)).toEqual(['b.ts'])
    expect(readNotebook(workspace, 'b.ts').text).toBe('two')
    expect(history(workspace, 'b.ts')).toEqual(['one'])
  })

  it('takes nothing from another notebook, and needs a name', () => {
    const workspace = openWorkspace(freshFolder())
    for (const name of ['a.ts', 'b.ts']) writeNotebook(workspace, name, name, null)
    expect(() => renameNotebook(workspace, 'a.ts', 'b.ts')).toThrow('b.ts: exists already')
    expect(() => renameNotebook(workspace, 'a.ts', '../c.ts')).toThrow('not a notebook name')
    expect(() => renameNotebook(workspace, 'none.ts', 'c.ts')).toThrow('no such notebook')
    expect(listNotebooks(workspace)).toEqual(['a.ts', 'b.ts'])
  })
})
