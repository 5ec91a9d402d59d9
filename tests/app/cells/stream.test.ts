import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { streamChannel } from '../../../app/cells/stream.ts'
import { keyOf, uniform } from '../../../engine/random.ts'

const bytesOf = (...values: number[]) => Uint8Array.from(values)

it('messages arrive whole and in order, however the bytes are cut', async () => {
  const messages = [bytesOf(), bytesOf(1), new Uint8Array(1000).fill(7), bytesOf(2, 3)]
  const written = new PassThrough()
  for (const message of messages) streamChannel(written).post(message)
  const all = Buffer.concat(await written.end().toArray())
  for (let attempt = 0; attempt < 50; attempt++) {
    const stream = new PassThrough()
    const heard: Uint8Array[] = []
    streamChannel(stream).listen((message) => heard.push(Uint8Array.from(message)))
    for (let at = 0; at < all.length; ) {
      const next = at + 1 + Math.floor(uniform(keyOf(attempt, 'cut'), at) * (attempt < 5 ? 3 : 400))
      stream.write(all.subarray(at, next))
      at = next
    }
    await expect.poll(() => heard).toEqual(messages)
  }
})

it.each<[string, Uint8Array, (message: Uint8Array) => unknown, string]>([
  ['a length that nothing has', bytesOf(0, 0, 0, 0x80), () => {}, 'a message of 2147483648 bytes'],
  ['a message that is refused', bytesOf(1, 0, 0, 0, 9), () => Promise.reject(new Error('no')), 'no'],
])('%s destroys the stream', async (_, bytes, receive, why) => {
  const stream = new PassThrough()
  const failed = once(stream, 'error')
  streamChannel(stream).listen((message) => receive(message) as undefined)
  stream.write(bytes)
  expect((await failed)[0]).toMatchObject({ message: why })
  expect(stream.destroyed).toBe(true)
})
