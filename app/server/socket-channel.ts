import type { WebSocket } from 'ws'
import type { Channel } from '../../engine/channel.ts'

/** A channel over an open WebSocket, one binary frame a message. What is no message ends the connection. */
export function socketChannel(socket: WebSocket): Channel {
  return {
    post(message) {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    listen(receive) {
      socket.on('message', async (data, isBinary) => {
        try {
          if (!isBinary || !Buffer.isBuffer(data)) throw new TypeError('a text frame')
          await receive(data) // reading goes on after the call: a rejection nobody awaits would end the process
        } catch {
          socket.close(1003, 'not a message')
        }
      })
    },
  }
}
