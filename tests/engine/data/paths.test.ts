import { describe, expect, it } from 'vitest'
import { join } from '../../../engine/data/paths.ts'

describe('join', () => {
  it.each([
    ['d', 'a.png', 'd/a.png'],
    ['d/', 'a.png', 'd/a.png'],
    ['/', 'a.png', '/a.png'],
    ['d', '/elsewhere/a.png', '/elsewhere/a.png'],
    ['d', 'C:\\data\\a.png', 'C:\\data\\a.png'],
    ['C:\\data\\', 'a.png', 'C:\\data/a.png'],
  ])('puts together %s and %s', (folder, name, path) => {
    expect(join(folder, name)).toBe(path)
  })
})
