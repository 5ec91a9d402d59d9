// One more thread of the `simd` backend.
import { workerData } from 'node:worker_threads'
import { serveThread } from '../engine/backends/simd/threads.ts'

await serveThread(workerData)
