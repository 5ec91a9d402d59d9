import { text } from 'node:stream/consumers'
import type { Terminal } from './command.ts'

/**
 * The process's own terminal; a reader that stops, as `| head` does, ends nothing. The first Ctrl-C or termination
 * signal aborts the signal, a second one ends the process.
 */
export function terminal(): Terminal {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
  for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessClosed)
  let drawn = false
  const clear = () => {
    if (drawn) process.stderr.write('\r\x1b[K')
    drawn = false
  }
  return {
    out: (line) => {
      clear()
      process.stdout.write(`${line}\n`)
    },
    err: (line) => {
      clear()
      process.stderr.write(`${line}\n`)
    },
    ...(!process.stdin.isTTY && { input: () => text(process.stdin) }),
    redraw: process.stderr.isTTY
      ? (line) => {
          clear()
          process.stderr.write(line.slice(0, (process.stderr.columns ?? 80) - 1))
          drawn = line !== ''
        }
      : null,
    signal: abort.signal,
  }
}

function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
