// The process in which the cells of a notebook run on the command line: a child that trains, and asks its parent for all
// that it cannot do itself.
import { Socket } from 'node:net'
import { streamChannel } from './stream.ts'

// V8 keeps 10 frames, too few to reach the line of a cell from deep inside tfjs.
Error.stackTraceLimit = 50
// Ctrl-C in a terminal reaches all its processes; the parent says what is to end, and how.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {})

const { serveCells } = await import('./serve.ts') // takes a while, in which signals may come
serveCells(streamChannel(new Socket({ fd: 3, readable: true, writable: true })))
