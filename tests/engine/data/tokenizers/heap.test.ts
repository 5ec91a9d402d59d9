import { expect, it } from 'vitest'
import { heap } from '../../../../engine/data/tokenizers/heap.ts'
import { integer, keyOf } from '../../../../engine/random.ts'

it('a heap gives its items in their order, also when some are added in between', () => {
  const key = keyOf(1, 'heap')
  const own = heap<number>((a, b) => a < b)
  let items: number[] = []
  for (let i = 0; i < 2000; i++) {
    const item = integer(key, 2 * i, 500)
    if (integer(key, 2 * i + 1, 3) < 2) {
      own.push(item)
      items = [...items, item].sort((a, b) => a - b)
    } else expect(own.pop()).toBe(items.shift())
  }
  for (const item of items) expect(own.pop()).toBe(item)
  expect(own.pop()).toBeUndefined()
})
