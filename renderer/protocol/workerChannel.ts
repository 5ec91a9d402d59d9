import type { Channel } from '../../engine/channel.ts'

/** Either end of a dedicated worker. */
interface Endpoint {
  postMessage(message: Uint8Array, options: { transfer: Transferable[] }): void
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}

/** The channel between a page and its worker. What is no message of the channel is ignored. */
export function workerChannel(endpoint: Endpoint): Channel {
  const post = endpoint.postMessage.bind(endpoint) // the kernel takes it away from cells
  return {
    // moved, not copied: nobody else has these bytes
    post: (message) => post(message, { transfer: [message.buffer as ArrayBuffer] }),
    listen: (receive) =>
      endpoint.addEventListener('message', ({ data }) => {
        if (data instanceof Uint8Array) receive(data)
      }),
  }
}
