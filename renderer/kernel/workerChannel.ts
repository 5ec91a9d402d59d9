import type { Channel } from '../../engine/channel.ts'

/** Either end of a dedicated worker. */
interface Endpoint {
  postMessage(message: Uint8Array): void
  addEventListener(type: 'message', listener: (event: MessageEvent<Uint8Array>) => void): void
}

/** The channel between a page and its worker. */
export function workerChannel(endpoint: Endpoint): Channel {
  return {
    post: (message) => endpoint.postMessage(message),
    listen: (receive) => endpoint.addEventListener('message', ({ data }) => receive(data)),
  }
}
