import { expect, it } from 'vitest'
import { tries } from '../long.ts'
import { fuzz } from './fuzz.ts'
import { READERS, type ReaderName } from './readers.ts'

/** Inputs for each part of a reader; the notebooks have a sample of their own. */
const INPUTS = 500

const names = (Object.keys(READERS) as ReaderName[]).filter((name) => name !== 'notebooks')

it.each(names)('damaged input is refused in words, or read, and costs nothing else: %s', async (name) => {
  const count = tries(INPUTS * READERS[name].share)
  const { read, refused, failures } = await fuzz(name, count, 0, 0)
  expect(failures).toEqual([])
  expect([read + refused, read > 0, refused > 0]).toEqual([count, true, true])
})
