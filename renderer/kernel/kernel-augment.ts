// The thread that augments training batches and makes generated examples, started by the kernel. Named so that it is served with the kernel's headers.
import { serveAugment } from '../../engine/data/augment/thread.ts'

serveAugment({
  post: (message, buffers) => postMessage(message, { transfer: buffers }),
  listen: (receive) => addEventListener('message', ({ data }) => receive(data)),
})
postMessage('ready')
