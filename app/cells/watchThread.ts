// The thread of a process of cells that does not train.
import { parentPort } from 'node:worker_threads'
import './watch.ts'

parentPort?.postMessage('ready')
