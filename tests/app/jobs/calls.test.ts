import { MessageChannel } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { threadChannel } from '../../../app/jobs/calls.ts'

it('a channel takes messages from one thread to the other', async () => {
  const { port1, port2 } = new MessageChannel()
  const heard: Uint8Array[] = []
  threadChannel(port2).listen((message) => heard.push(message))
  threadChannel(port1).post(new Uint8Array([1, 2]))
  await expect.poll(() => heard).toEqual([new Uint8Array([1, 2])])
  port1.close()
})
