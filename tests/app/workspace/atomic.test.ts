import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { removeLeftovers, writeAtomic } from '../../../app/workspace/atomic.ts'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { freshFolder } from '../store/samples.ts'

const done = vi.hoisted(() => [] as string[])
const modes = vi.hoisted(() => [] as unknown[])
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const noted =
    <Given extends unknown[], Result>(word: string, call: (...given: Given) => Result) =>
    (...given: Given) => {
      done.push(word)
      return call(...given)
    }
  return {
    ...fs,
    openSync: noted('open', (...given: Parameters<typeof fs.openSync>) => {
      modes.push(given[2])
      return fs.openSync(...given)
    }),
    fsyncSync: noted('sync', fs.fsyncSync),
    closeSync: noted('close', fs.closeSync),
    renameSync: noted('rename', fs.renameSync),
  }
})

const leftover = (name: string) => `.${name}.01234567-89ab-cdef-0123-456789abcdef.tmp`
const HOUR_AGO = Date.now() / 1000 - 3600

/** Makes a file, by default one that has not changed for an hour. */
function make(folder: string, name: string, changed = HOUR_AGO): void {
  writeFileSync(join(folder, name), name)
  utimesSync(join(folder, name), changed, changed)
}

describe('writeAtomic', () => {
  it('replaces a file, keeps its mode, and leaves nothing beside it', () => {
    const folder = freshFolder()
    const path = join(folder, 'notes.ts')
    writeAtomic(path, 'one')
    chmodSync(path, 0o640)
    writeAtomic(path, new Uint8Array([116, 119, 111]))
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['notes.ts'])
  })

  it('gives a file the mode that is asked for', () => {
    const path = join(freshFolder(), 'secret')
    modes.length = 0
    for (let time = 0; time < 2; time++) writeAtomic(path, 'text', 0o600)
    expect(modes.filter((mode) => mode !== undefined)).toEqual([0o600, 0o600]) // from its first moment
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('makes a new file as any program does', () => {
    const path = join(freshFolder(), 'new')
    writeAtomic(path, 'text')
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask())
  })

  it('takes the longest names that a file can have', () => {
    const folder = freshFolder()
    const name = 'x'.repeat(250)
    writeAtomic(join(folder, name), 'text')
    expect(readdirSync(folder)).toEqual([name])
  })

  it('has the content and its name on the disk before it returns, and lets go of both', () => {
    done.length = 0
    const path = join(freshFolder(), 'file')
    writeAtomic(path, 'text')
    expect(done).toEqual(['open', 'sync', 'close', 'rename', 'open', 'sync', 'close'])
    done.length = 0
    vi.stubGlobal('process', { ...process, platform: 'win32' }) // opens no folders
    writeAtomic(path, 'text')
    vi.unstubAllGlobals()
    expect(done).toEqual(['open', 'sync', 'close', 'rename'])
  })

  it('changes nothing where it fails', () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'taken'))
    expect(() => writeAtomic(join(folder, 'taken'), 'text')).toThrow()
    expect(() => writeAtomic(join(folder, 'gone', 'file'), 'text')).toThrow(
      expect.objectContaining({ code: 'ENOENT', syscall: 'open' }),
    )
    expect(readdirSync(folder)).toEqual(['taken'])
  })
})

describe('removeLeftovers', () => {
  it('removes what crashed writes have left, here and one folder below, and nothing else', () => {
    const folder = freshFolder()
    for (const inner of ['ab', 'ab/deep']) mkdirSync(join(folder, inner))
    const kept = [
      ...['notes.ts', '.hidden.tmp', 'x.01234567-89ab-cdef-0123-456789abcdef.tmp'],
      ...[`x${leftover('y')}`, `${leftover('y')}.bak`, '..01234567-89ab-cdef-0123-456789abcdef.tmp'],
    ]
    for (const name of [...kept, leftover('notes.ts'), join('ab', leftover('cd12')), join('ab/deep', leftover('x'))]) {
      make(folder, name)
    }
    make(folder, leftover('being written'), Date.now() / 1000)
    removeLeftovers(folder)
    expect(readdirSync(folder).sort()).toEqual([...kept, 'ab', leftover('being written')].sort())
    expect(readdirSync(join(folder, 'ab'))).toEqual(['deep'])
    expect(readdirSync(join(folder, 'ab/deep'))).toEqual([leftover('x')])
  })

  it('passes over what is gone by then', () => {
    const folder = freshFolder()
    symlinkSync(join(folder, 'gone'), join(folder, leftover('a')))
    removeLeftovers(folder)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('takes ten minutes without a change for a crash', () => {
    const folder = freshFolder()
    make(folder, leftover('a'))
    const { mtimeMs } = statSync(join(folder, leftover('a')))
    const clock = vi.spyOn(Date, 'now').mockReturnValue(mtimeMs + 600_000)
    removeLeftovers(folder)
    expect(readdirSync(folder)).toHaveLength(1)
    clock.mockReturnValue(mtimeMs + 600_001)
    removeLeftovers(folder)
    clock.mockRestore()
    expect(readdirSync(folder)).toEqual([])
  })

  it('knows a process that was killed, and waits for one that lives', () => {
    const folder = freshFolder()
    const ended = spawnSync(process.execPath, ['-e', '0']).pid
    const [dead, alive] = [leftover(`a.${ended}`), leftover(`a.${process.pid}`)]
    for (const name of [dead, alive]) make(folder, name, Date.now() / 1000 - 60)
    removeLeftovers(folder)
    expect(readdirSync(folder)).toEqual([alive])
  })

  it('is done beside notebooks and objects as a workspace is opened, and in no folder of data', () => {
    const { root, objects } = openWorkspace(freshFolder())
    const [data, shelf] = [join(root, 'data'), join(objects, 'ab')]
    for (const folder of [data, shelf]) mkdirSync(folder)
    for (const folder of [root, data, shelf]) make(folder, leftover('notes.ts'))
    openWorkspace(root)
    expect(readdirSync(root).sort()).toEqual(['.mixlab', 'data'])
    expect([data, shelf].map((folder) => readdirSync(folder))).toEqual([[leftover('notes.ts')], []])
  })
})
