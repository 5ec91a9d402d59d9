import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeLeftovers, writeAtomic } from '../../../app/workspace/atomic.ts'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { freshFolder } from '../store/samples.ts'

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
    for (let time = 0; time < 2; time++) writeAtomic(path, 'text', 0o600)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('changes nothing where it fails', () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'taken'))
    expect(() => writeAtomic(join(folder, 'taken'), 'text')).toThrow()
    expect(readdirSync(folder)).toEqual(['taken'])
  })
})

describe('removeLeftovers', () => {
  it('removes what crashed writes have left, here and one folder below, and nothing else', () => {
    const folder = freshFolder()
    for (const inner of ['ab', 'ab/deep']) mkdirSync(join(folder, inner))
    const kept = ['notes.ts', '.hidden.tmp', 'x.01234567-89ab-cdef-0123-456789abcdef.tmp']
    for (const name of [...kept, leftover('notes.ts'), join('ab', leftover('cd12')), join('ab/deep', leftover('x'))]) {
      make(folder, name)
    }
    make(folder, leftover('being written'), Date.now() / 1000)
    removeLeftovers(folder)
    expect(readdirSync(folder).sort()).toEqual([...kept, 'ab', leftover('being written')].sort())
    expect(readdirSync(join(folder, 'ab'))).toEqual(['deep'])
    expect(readdirSync(join(folder, 'ab/deep'))).toEqual([leftover('x')])
  })

  it('is done as a workspace is opened', () => {
    const { objects } = openWorkspace(freshFolder())
    mkdirSync(join(objects, 'ab'))
    make(join(objects, 'ab'), leftover('cd12'))
    openWorkspace(join(objects, '../..'))
    expect(readdirSync(join(objects, 'ab'))).toEqual([])
  })
})
