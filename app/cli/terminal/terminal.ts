import { text } from 'node:stream/consumers'
import type { Terminal } from '../command.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const

// C0 without tab and line feed, DEL, and C1, which some terminals obey in UTF-8, too
const CONTROL = /[^\P{Cc}\t\n]/gu

/**
 * The terminal of this process. A reader that closes the pipe, as `| head` does, does not end it. The first Ctrl-C or
 * termination signal aborts `signal`; the second aborts the signal of `end`, or ends the process where no command has
 * called that. SIGUSR1 is one that never does the second: a scheduler sends it beside others. Control characters, which lines of cells may contain, are printed as their pictures.
 */
export function terminal(): Terminal {
  const [stop, end] = [new AbortController(), new AbortController()]
  let caught = false
  const interrupt = (name: NodeJS.Signals) => {
    const known = stop.signal.aborted
    if (known && name !== 'SIGINT' && [name, stop.signal.reason].includes('SIGUSR1')) return
    if (known) end.abort()
    else stop.abort(name)
    if (!caught || end.signal.aborted) for (const signal of SIGNALS) process.off(signal, interrupt)
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessClosed)
  let drawn = false
  const clear = () => {
    if (drawn) process.stderr.write('\r\x1b[K')
    drawn = false
  }
  return {
    out: (line) => {
      clear()
      process.stdout.write(`${plainText(line)}\n`)
    },
    err: (line) => {
      clear()
      process.stderr.write(`${plainText(line)}\n`)
    },
    ...(!process.stdin.isTTY && { input: () => text(process.stdin) }),
    redraw: process.stderr.isTTY
      ? (line) => {
          clear()
          process.stderr.write(plainText(line).slice(0, (process.stderr.columns ?? 80) - 1))
          drawn = line !== ''
        }
      : null,
    columns: Math.max(40, Math.min(80, process.stdout.columns ?? 80)),
    signal: stop.signal,
    end() {
      caught = true
      return end.signal
    },
  }
}

/** Control characters as pictures of them, beside tabs and line ends: others move the cursor, or worse. */
export function plainText(text: string): string {
  return text.replace(CONTROL, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u2421'
  })
}

function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
