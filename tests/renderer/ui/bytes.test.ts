import { expect, it } from 'vitest'
import { bytes } from '../../../renderer/ui/bytes.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [165_000, '165 kB'],
  [2_340_000_000, '2.3 GB'],
  [5e15, '5000000 GB'],
])('%d bytes are %s', (count, text) => {
  expect(bytes(count)).toBe(text)
})
