// A thread of a process of cells, which ends this when its parent has gone: a cell that never stops would go on for good.
import { Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'

const end = () => process.kill(process.pid, 'SIGKILL')
// stdin is a pipe to the parent, in which nothing ever comes
new Socket({ fd: 0 }).on('error', end).on('close', end).resume()
parentPort?.postMessage('ready')
