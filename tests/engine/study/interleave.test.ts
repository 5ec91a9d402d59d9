import { expect, it } from 'vitest'
import { interleave } from '../../../engine/study/interleave.ts'

/** Yields `name` and a number, each after so many turns of the queue of promises; notes in `ended` that it ended. */
async function* source(name: string, count: number, turns: number, ended: string[] = []): AsyncGenerator<string> {
  try {
    for (let i = 1; i <= count; i++) {
      for (let turn = 0; turn < turns; turn++) await null
      yield `${name}${i}`
    }
  } finally {
    ended.push(name)
  }
}

async function collect(generator: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = []
  for await (const value of generator) all.push(value)
  return all
}

it('yields as it comes; one that is quick leaves none waiting', async () => {
  expect(await collect(interleave([source('a', 2, 0), source('b', 2, 0)]))).toEqual(['a1', 'b1', 'a2', 'b2'])
  const uneven = await collect(interleave([source('slow', 2, 50), source('quick', 3, 1)]))
  expect(uneven).toEqual(['quick1', 'quick2', 'quick3', 'slow1', 'slow2'])
  expect(await collect(interleave([]))).toEqual([])
})

it('lets a generator go on only once its value is dealt with', async () => {
  let dealtWith = 0
  async function* counting(): AsyncGenerator<number> {
    for (let i = 0; i < 3; i++) {
      expect(dealtWith).toBe(i)
      yield i
    }
  }
  for await (const _ of interleave([counting()])) dealtWith += 1
  expect(dealtWith).toBe(3)
})

it('ends all where nobody listens any more', async () => {
  const ended: string[] = []
  for await (const _ of interleave([source('a', 9, 0, ended), source('b', 9, 0, ended)])) break
  expect(ended.sort()).toEqual(['a', 'b'])
})

it('ends all where one throws', async () => {
  const ended: string[] = []
  async function* broken(): AsyncGenerator<string> {
    yield 'one'
    throw new Error('broken')
  }
  await expect(collect(interleave([source('a', 9, 0, ended), broken()]))).rejects.toThrow('broken')
  expect(ended).toEqual(['a'])
})
