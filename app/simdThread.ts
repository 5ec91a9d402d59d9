// One more thread of the `simd` backend. It serves one memory after the other: threads cannot be started at any time.
import { parentPort } from 'node:worker_threads'
import { serveThread, type ThreadStart } from '../engine/backends/simd/threads.ts'
import { confineThread } from './confine.ts'

confineThread()

parentPort?.on('message', async (start: ThreadStart) => {
  await serveThread(start)
  parentPort?.postMessage('served')
})
parentPort?.postMessage('ready')
