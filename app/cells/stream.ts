import type { Duplex } from 'node:stream'
import type { Channel } from '../../engine/channel.ts'

/** Bytes of the length that stands before a message. */
const LENGTH_BYTES = 4
/** The longest message, in bytes. */
const MAX_MESSAGE_BYTES = 2 ** 30

/**
 * Messages over a stream of bytes. What cannot be a message, or makes `listen` fail, destroys the stream: the other side may
 * send anything.
 */
export function streamChannel(stream: Duplex): Channel {
  return {
    post(message) {
      const head = Buffer.alloc(LENGTH_BYTES)
      head.writeUInt32LE(message.length)
      stream.write(head)
      stream.write(message)
    },
    listen(receive) {
      const refuse = (error: unknown) => void stream.destroy(error instanceof Error ? error : new Error(String(error)))
      const take = messagesOf(MAX_MESSAGE_BYTES)
      stream.on('data', (bytes: Buffer) => {
        try {
          for (const message of take(bytes)) Promise.resolve(receive(message) as unknown).catch(refuse)
        } catch (error) {
          refuse(error)
        }
      })
    },
  }
}

/** A function from the next bytes to the messages that end in them. It throws for one of more than `most` bytes. */
function messagesOf(most: number): (bytes: Buffer) => Buffer[] {
  let parts: Buffer[] = []
  let held = 0
  let wanted = LENGTH_BYTES // bytes until there is something to do
  return (bytes) => {
    parts.push(bytes)
    held += bytes.length
    if (held < wanted) return []
    const all = parts.length === 1 ? bytes : Buffer.concat(parts)
    const messages: Buffer[] = []
    let at = 0
    for (wanted = LENGTH_BYTES; all.length - at >= wanted; wanted = LENGTH_BYTES) {
      const length = all.readUInt32LE(at)
      if (length > most) throw new Error(`a message of ${length} bytes`)
      wanted = LENGTH_BYTES + length
      if (all.length - at < wanted) break
      messages.push(all.subarray(at + LENGTH_BYTES, at + wanted))
      at += wanted
    }
    parts = at < all.length ? [all.subarray(at)] : []
    held = all.length - at
    return messages
  }
}
