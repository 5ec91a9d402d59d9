import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { claimOwner, ownerLives } from '../../../../app/store/training/owner.ts'
import { MixlabError } from '../../../../engine/errors.ts'
import { freshFolder } from '../samples.ts'

describe('an owner', () => {
  it('lives until it is released, seen from its own process too', () => {
    const folder = freshFolder()
    const [a, b] = [claimOwner(folder), claimOwner(folder)]
    expect(ownerLives(folder, a.token)).toBe(true)
    expect(ownerLives(folder, a.token)).toBe(true)
    a.release()
    expect(ownerLives(folder, a.token)).toBe(false)
    expect(ownerLives(folder, b.token)).toBe(true)
    b.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('whose file nobody holds is dead, and its file is removed', () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'left-behind'), '')
    expect(ownerLives(folder, 'left-behind')).toBe(false)
    expect(existsSync(join(folder, 'left-behind'))).toBe(false)
    expect(ownerLives(folder, 'never-was')).toBe(false)
  })

  it('is released although its file was removed', () => {
    const folder = freshFolder()
    const owner = claimOwner(folder)
    rmSync(join(folder, owner.token))
    owner.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('of a folder that is not there is dead', () => {
    expect(ownerLives(join(freshFolder(), 'gone'), 'token')).toBe(false)
  })

  it('keeps one file open, as long as it lives', () => {
    const folder = freshFolder()
    const close = vi.spyOn(BetterSqlite3.prototype, 'close')
    const owner = claimOwner(folder)
    expect(close).not.toHaveBeenCalled()
    expect(ownerLives(folder, owner.token)).toBe(true)
    expect(close).toHaveBeenCalledTimes(1) // that of who looked
    owner.release()
    expect(close).toHaveBeenCalledTimes(2)
    close.mockRestore()
  })

  it('cannot be where no file can be made', () => {
    const file = join(freshFolder(), 'file')
    writeFileSync(file, '')
    expect(() => claimOwner(file)).toThrow(MixlabError)
  })
})
