import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import { connect } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { boundedChannel } from '../bounded.ts'
import { SMALL_YOUNG_GENERATION } from '../youngGeneration.ts'
import { currentBundle } from './bundle.ts'
import type { AskedCalls, CellsCalls } from './calls.ts'
import { streamChannel } from './stream.ts'

/** A process of cells, seen from its parent. */
export interface CellsProcess {
  remote: CellsCalls
  /** Ends it at once, whatever it does. */
  kill(): void
}

const ROOT = realpathSync(resolve(import.meta.dirname, '../..'))

/** What drivers of graphics cards and the C library read; nothing else of the environment is for cells. */
const VARIABLES = [
  ...['LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'LD_LIBRARY_PATH', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['VK_ICD_FILENAMES', 'VK_DRIVER_FILES', 'DRI_PRIME', 'MESA_VK_DEVICE_SELECT', 'CUDA_VISIBLE_DEVICES'],
]

/** How that begins which Node writes where it gets no more memory, before it ends. */
const NO_MEMORY = /^(<--- Last few GCs --->|# Fatal process out of memory: |FATAL ERROR: .* heap out of memory$)/

/** A longer line is broken there: it is held until it ends. */
const MAX_LINE_LENGTH = 2 ** 16

/**
 * Starts a process of cells, which may ask for `offered`, from the bundle where that is current. What it writes goes to
 * `say`, line by line. `ended` is called once with why it has ended, unless it was killed; it has not crashed where it sent
 * what is no message. A trusted one has the rights and the environment of this process.
 */
export function spawnCells(
  trusted: boolean,
  offered: AskedCalls,
  say: (line: string) => void,
  ended: (why: string, crashed: boolean) => void,
): CellsProcess {
  const cache = compileCache()
  const env = trusted
    ? process.env
    : Object.fromEntries(VARIABLES.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])))
  const script = currentBundle(ROOT, 'cells') ?? join(import.meta.dirname, 'process.ts')
  const child = spawn(process.execPath, [SMALL_YOUNG_GENERATION, ...(trusted ? [] : rights(cache)), script], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...env, ...(cache && { NODE_COMPILE_CACHE: cache }) },
    windowsHide: true,
  })
  if (child.stdio.includes(undefined as never)) {
    child.once('error', () => {})
    const why = 'no process can be started: too many files are open, or too many processes run (see ulimit -a)'
    throw new MixlabError('backend', '', why)
  }
  let starved = false
  const show = (line: string) => {
    starved ||= NO_MEMORY.test(line)
    if (!starved) say(line) // else it is of the stack of Node
  }
  for (const stream of [child.stdout, child.stderr] as Readable[]) readLines(stream, show)
  const socket = child.stdio[3] as Duplex
  let strange: string | null = null
  socket.on('error', ({ message, code }: NodeJS.ErrnoException) => {
    if (code === undefined) strange = `it sent ${message}` // else it ended in the middle of a message
    child.kill('SIGKILL')
  })
  endWithThis(child)
  const { remote, close } = connect<CellsCalls, AskedCalls>(offered, boundedChannel(streamChannel(socket)))
  let killed = false
  const end = (why: string) => {
    close(`the process in which the cells run has ended: ${why}`)
    if (!killed) ended(why, strange === null)
  }
  child.once('error', ({ message }) => end(message))
  child.once('close', (code, signal) => end(starved ? 'out of memory' : (strange ?? signal ?? `code ${code}`)))
  return {
    remote,
    kill() {
      killed = true
      child.kill('SIGKILL')
    },
  }
}

/**
 * Ends a process once this one has gone, in whatever way. A process of its own holds the other end of a pipe and waits until
 * that is closed: a cell reaches neither, and can hold up every thread of its own process.
 */
function endWithThis(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return // it did not start
  const onWindows = `process.stdin.resume().on('close', () => process.kill(${pid}, 'SIGKILL'))`
  const [program, words] =
    process.platform === 'win32'
      ? [process.execPath, ['-e', onWindows]]
      : ['/bin/sh', ['-c', 'read _; kill -9 "$0"', String(pid)]]
  // detached: it is to outlive the Ctrl-C that reaches all processes of a terminal
  const watchdog = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true })
  watchdog.on('error', () => child.kill('SIGKILL'))
  watchdog.unref()
  ;(watchdog.stdin as Socket).on('error', () => {}).unref()
  child.once('exit', () => watchdog.kill('SIGKILL'))
}

/** The switches of Node that it is started with. Node's own SQLite asks for no permission, and its loader for FFI is not needed. */
export function rights(cache: string | null): string[] {
  const folders = [ROOT, realpathSync(join(ROOT, 'node_modules'))]
  return [
    ...['--permission', '--allow-addons', '--allow-worker', '--disable-warning=SecurityWarning'],
    ...['--no-experimental-sqlite', '--no-experimental-ffi', '--disable-sigusr1'],
    ...folders.map((folder) => `--allow-fs-read=${folder}`),
    ...(cache ? [`--allow-fs-read=${cache}`, `--allow-fs-write=${cache}`] : []),
  ]
}

/** Where this process keeps what Node has made of TypeScript. */
function compileCache(): string | null {
  const own = getCompileCacheDir() // that of this version of Node
  return own ? dirname(own) : null
}

/** Calls `say` with each line of a stream. */
function readLines(stream: Readable, say: (line: string) => void): void {
  let rest = ''
  const flush = () => {
    if (rest) say(rest)
    rest = ''
  }
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) say(line)
    if (rest.length > MAX_LINE_LENGTH) flush()
  })
  stream.on('end', flush).on('error', flush)
}
