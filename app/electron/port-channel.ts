import type { MessagePortMain } from 'electron'
import type { Channel } from '../../engine/channel.ts'

/** A channel over a port whose other end is in the page. What is no message ends the connection. */
export function portChannel(port: MessagePortMain): Channel {
  return {
    post: (message) => port.postMessage(message),
    listen(receive) {
      port.on('message', async ({ data }) => {
        try {
          await receive(data) // reading goes on after the call: a rejection nobody awaits would end the process
        } catch {
          port.close()
        }
      })
      port.start()
    },
  }
}
