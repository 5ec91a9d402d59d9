import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimOwner, ownerLives } from '../../../app/store/owner.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { freshFolder } from './samples.ts'

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

  it('cannot be where no file can be made', () => {
    const file = join(freshFolder(), 'file')
    writeFileSync(file, '')
    expect(() => claimOwner(file)).toThrow(MixlabError)
  })
})
