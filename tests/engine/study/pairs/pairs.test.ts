import { describe, expect, it } from 'vitest'
import { ALL, LONG } from '../../../long.ts'
import { KINDS } from './kinds.ts'
import { wrongPair } from './wrong.ts'

const [DIFFERING, ALIKE] = ALL ? [2000, 500] : LONG ? [50, 25] : [1, 1]

describe.each(Object.keys(KINDS))('pairs of cells with another %s', (kind) => {
  it('that captures something else have another key', async () => {
    expect(await wrongPair(kind, 'differing', 0, DIFFERING)).toBe(null)
  })
  it('that is written otherwise have one key', async () => {
    expect(await wrongPair(kind, 'alike', 0, ALIKE)).toBe(null)
  })
})
