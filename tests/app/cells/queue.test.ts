import { expect, it } from 'vitest'
import { createQueue } from '../../../app/cells/queue.ts'

it('gives what was put since the last call, waits for the next, and says when it is over', async () => {
  const queue = createQueue<number>()
  queue.put(1)
  queue.put(2)
  expect(await queue.take()).toEqual([1, 2])
  const next = queue.take()
  queue.put(3)
  expect(await next).toEqual([3])
  const last = queue.take()
  queue.end()
  expect([await last, await queue.take()]).toEqual([null, null])
})

it('throws what it ends with, once all has been taken', async () => {
  const queue = createQueue<number>()
  queue.put(1)
  queue.end(new Error('lost'))
  expect(await queue.take()).toEqual([1])
  await expect(queue.take()).rejects.toThrow('lost')
})
