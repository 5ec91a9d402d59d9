import { describe, expect, it } from 'vitest'
import { digest } from '../../../../../engine/data/digest.ts'
import { corpora, pairData, spanData, textData, world } from '../../../../../engine/data/text/index.ts'
import { memoryFiles } from '../../memory-files.ts'

const files = memoryFiles({})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const small = { train: 60, test: 30 }
const tables = { textData, pairData, spanData }
const open = (name: keyof typeof tables, options = {}) => tables[name].open(world({ ...small, ...options }), files)
const names = ['textData', 'pairData', 'spanData'] as const

describe.each(names)('the world in %s', (name) => {
  it('is what it always was', async () => {
    const { train, test } = await open(name)
    const texts = [await train.read(upTo(20)), await test.read(upTo(20))].map((batch) => JSON.stringify(batch))
    expect(digest(texts.join()).slice(0, 16)).toBe(
      { textData: 'ba5935fd600ebba4', pairData: '74e2c5aff0eabd90', spanData: '3ef7facbe00c84e7' }[name],
    )
  })
  it.each([0, 1])('can be drawn at difficulty %d', async (difficulty) => {
    const { test } = await open(name, { difficulty, test: 200 })
    await expect(test.read(upTo(200))).resolves.toBeDefined()
  })
})

describe('the world', () => {
  it('has a hash for each of its sorts', async () => {
    const opened = await Promise.all([...names.map((name) => open(name)), corpora.open(world(small), files)])
    expect(new Set(opened.map(({ hash }) => hash)).size).toBe(4)
  })
  it('has every word in the corpus', async () => {
    const { train } = await corpora.open('world', files)
    const known = new Set((await train.read(0, train.bytes)).split(/\s+/))
    expect(known.size).toBeGreaterThan(400)
    expect(known.size).toBeLessThan(600)
    const texts: string[] = []
    for (const name of names) {
      const batch = await (await open(name, { train: 500 })).train.read(upTo(500))
      if ('first' in batch) texts.push(...batch.first, ...(batch.second ?? []))
      else texts.push(...batch.questions, ...batch.passages)
    }
    expect(texts.flatMap((text) => text.split(' ')).filter((word) => !known.has(word))).toEqual([])
  })
})
