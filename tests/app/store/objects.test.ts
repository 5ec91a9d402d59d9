import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openObjects } from '../../../app/store/objects.ts'
import { freshFolder } from './samples.ts'

const content = new Uint8Array([1, 2, 3])
const hash = createHash('sha256').update(content).digest('hex')

describe('objects', () => {
  it('are kept once under their hash, in a folder of its first two digits', () => {
    const folder = freshFolder()
    const objects = openObjects(folder)
    expect(objects.has(hash)).toBe(false)
    expect(objects.write(content)).toBe(hash)
    const before = statSync(join(folder, hash.slice(0, 2), hash.slice(2)))
    expect(objects.write(content)).toBe(hash)
    expect(statSync(join(folder, hash.slice(0, 2), hash.slice(2))).ino).toBe(before.ino)
    expect(objects.read(hash)).toEqual(content)
    expect(readdirSync(join(folder, hash.slice(0, 2)))).toEqual([hash.slice(2)])
  })

  it('that are not there are null, and removing them is no error', () => {
    const objects = openObjects(freshFolder())
    expect(objects.read(hash)).toBeNull()
    objects.remove(hash)
  })

  it('are listed, and nothing else that lies there', () => {
    const folder = freshFolder()
    const objects = openObjects(folder)
    expect(objects.list()).toEqual([])
    objects.write(content)
    writeFileSync(join(folder, 'notes'), '')
    for (const name of ['short', `${hash.slice(2)}0`, `.${hash.slice(2)}`, hash.slice(2).replace(/^./, 'x')]) {
      writeFileSync(join(folder, hash.slice(0, 2), name), '')
    }
    mkdirSync(join(folder, 'x'))
    writeFileSync(join(folder, 'x', hash), '')
    expect(objects.list()).toEqual([hash])
    objects.remove(hash)
    expect([objects.list(), objects.has(hash)]).toEqual([[], false])
  })

  it('that cannot be read are named', () => {
    const folder = freshFolder()
    const objects = openObjects(folder)
    const path = join(folder, hash.slice(0, 2), hash.slice(2))
    mkdirSync(path, { recursive: true })
    expect(objects.has(hash)).toBe(false)
    expect(() => objects.read(hash)).toThrow(`${path}: cannot be read: `)
    expect(() => objects.read(hash)).toThrow(expect.objectContaining({ code: 'store', path }))
  })

  it('leave no half file behind when they cannot be written', () => {
    const folder = freshFolder()
    const objects = openObjects(folder)
    const shelf = join(folder, hash.slice(0, 2))
    mkdirSync(join(shelf, hash.slice(2)), { recursive: true })
    expect(() => objects.write(content)).toThrow(`${join(shelf, hash.slice(2))}: cannot be written: `)
    expect(() => objects.write(content)).toThrow(expect.objectContaining({ code: 'store' }))
    expect(readdirSync(shelf)).toEqual([hash.slice(2)])

    const blocked = freshFolder()
    writeFileSync(join(blocked, hash.slice(0, 2)), 'a file where a folder belongs')
    expect(() => openObjects(blocked).write(content)).toThrow(`${join(blocked, hash.slice(0, 2))}: is not a folder`)
  })
})
