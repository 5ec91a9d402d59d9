import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Calls,
  callByName,
  callsOf,
  checkArguments,
  count,
  type Implementation,
  reads,
  text,
  writes,
} from '../../engine/call.ts'

const table = {
  count: reads<(word: string, from?: number) => number>({ word: text }, { from: count.optional() }),
  clear: writes<() => void>(),
}

describe('a table of calls', () => {
  it('gives functions of its names, made in one way, that answer by promises', async () => {
    const made: unknown[] = []
    const calls: Calls<typeof table> = callsOf(table, (...call) => made.push(call))
    expect(await calls.count('a', 3)).toBe(1)
    await calls.clear()
    expect(made).toEqual([
      ['count', ['a', 3]],
      ['clear', []],
    ])
    const failing = callsOf(table, () => {
      throw new Error('at once')
    })
    await expect(failing.clear()).rejects.toThrow('at once')
  })

  it('says what can be made again', () => {
    expect([table.count.repeatable([]), table.clear.repeatable([])]).toEqual([true, false])
  })

  it('checks what a call is given, place by place', () => {
    const given = (...values: unknown[]) => checkArguments(table, 'count', values)
    given('a')
    given('a', 2)
    expect(() => given()).toThrow('count.word: missing, expected a string')
    expect(() => given('a', -1)).toThrow('count.from: -1, expected at least 0')
    expect(() => given('a', 1, 2)).toThrow('count: 3 arguments, expected at most 2')
  })

  it('has a schema for each argument, of its type: else it does not compile', () => {
    // @ts-expect-error an argument is left out
    reads<(word: string, from?: number) => number>({ word: text })
    // @ts-expect-error another type
    reads<(word: string) => number>({ word: z.number() })
    // @ts-expect-error one that may be missing where it must not
    reads<(word: string) => number>({ word: text.optional() })
    // @ts-expect-error one too many
    reads<() => number>({ word: text })
  })

  it('is implemented by functions that answer at once or later, given something first or not', () => {
    const own: Implementation<typeof table> = { count: (word, from = 0) => word.length - from, clear: async () => {} }
    const bound: Implementation<typeof table, [string[]]> = { count: (words) => words.length, clear: () => {} }
    // @ts-expect-error a call is missing
    const less: Implementation<typeof table> = { clear: () => {} }
    expect(callByName(own, 'count', ['abc', 1])).toBe(2)
    expect(callByName(bound, 'count', [['a'], 'abc'])).toBe(1)
    expect(Object.keys(less)).toEqual(['clear'])
  })
})
