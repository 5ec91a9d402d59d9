import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { firstOf, keyed, laterOf } from '../../../engine/records/keyed.ts'

const schema = z.strictObject({
  path: z.string(),
  first: z.number().default(1),
  later: z.number().default(2),
  rates: z.strictObject({ hidden: z.number().default(0), newer: z.number().default(0) }).prefault({}),
  jitter: z.strictObject({ hue: z.number().default(0.5), gain: z.number() }).optional(),
  list: z.array(z.number()).default([]),
})
const first = ['first', 'rates', 'rates.hidden']
const keyedOf = (options: object) => keyed(schema.parse(options), first, (some) => schema.parse(some))

describe('the options that enter a key', () => {
  it('are the first ones in any case, and later ones that differ from their default', () => {
    expect(keyedOf({ path: 'a' })).toEqual({ path: 'a', first: 1, rates: { hidden: 0 } })
    expect(keyedOf({ path: 'a', first: 3, later: 4 })).toEqual({ path: 'a', first: 3, later: 4, rates: { hidden: 0 } })
    expect(keyedOf({ path: 'a', list: [1] })).toMatchObject({ list: [1] })
  })
  it('are the same where an option is inside of another', () => {
    expect(keyedOf({ path: 'a', rates: { newer: 0.1 } }).rates).toEqual({ hidden: 0, newer: 0.1 })
    expect(keyedOf({ path: 'a', jitter: { gain: 3 } }).jitter).toEqual({ gain: 3 })
    expect(keyedOf({ path: 'a', jitter: { hue: 0, gain: 3 } }).jitter).toEqual({ hue: 0, gain: 3 })
  })
  it('keep what is no plain data, for which a key throws', () => {
    const init = () => 1
    expect(keyed({ init }, [], (some) => some)).toEqual({ init })
  })
})

describe('laterOf', () => {
  it('gives what is not among the first options of a name', () => {
    expect(firstOf('cifar')).toEqual(['path', 'labels'])
    expect(laterOf('cifar', { path: 'a', labels: 'fine', grey: true })).toEqual([['grey', true]])
    expect(laterOf('nothing of before', { a: 1 })).toEqual([['a', 1]])
  })
})
