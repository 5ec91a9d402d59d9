// The thread that augments training batches and makes generated examples.
import { parentPort } from 'node:worker_threads'
import { serveAugment } from '../engine/data/augment/thread.ts'

serveAugment({
  post: (message, buffers) => parentPort?.postMessage(message, buffers),
  listen: (receive) => parentPort?.on('message', receive),
})
