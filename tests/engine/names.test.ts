import { expect, it } from 'vitest'
import { z } from 'zod'
import { byName, checkOrder, isPlain } from '../../engine/names.ts'

it('knows which names JavaScript sorts', () => {
  const names = ['0', '7', '4294967294', '4294967295', '00', '07', '-0', '-7', '7.0', '1e3', ' 7', '٧', '']
  for (const name of names) {
    const sorted = Object.keys({ first: 0, [name]: 1 })[0] === name
    const check = () => checkOrder(['first', name], 'at')
    if (sorted) expect(check, name).toThrow(`at.${name}: its place is lost`)
    else expect(check, name).not.toThrow()
    expect(() => checkOrder([name], 'at')).not.toThrow()
  }
})

it('takes values by any names that an object has itself', () => {
  const numbers = byName(z.number(), z.string().max(12))
  const taken = (value: unknown) => numbers.safeParse(value).success
  for (const name of ['constructor', '__proto__', 'toString', '', '7'])
    expect(taken(Object.fromEntries([[name, 1]])), name).toBe(true)
  expect(taken(Object.assign(Object.create(null), { a: 1 }))).toBe(true)
  expect(numbers.parse(JSON.parse('{"__proto__":1}'))).toHaveProperty(['__proto__'], 1)
  for (const other of [
    null,
    7,
    'a',
    [1],
    new Map([['a', 1]]),
    { a: 'b' },
    { ['n'.repeat(13)]: 1 },
    { __proto__: { a: 1 } },
  ])
    expect(taken(other)).toBe(false)
  expect([{}, [], new Date(), () => 1].map(isPlain)).toEqual([true, false, false, false])
})
