import { fork } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { MixlabError, messageOf } from '../engine/errors.ts'
import { alone } from './alone.ts'

const PARTS = {
  renderer: 'the page',
  'renderer/demo': 'the script of demos',
  'app/electron': 'the desktop app',
  'app/cells': 'the command line',
}
const TELL_EVERY = 5000 // ms

/**
 * Builds page, desktop app and command line into `dist/` of `root` if a source is newer than the last build, in a process
 * of its own, for a bundler never gives its memory back. `print` is called with what it does, at every step and
 * every few seconds. Throws MixlabError `option`, in one sentence that names the log, where it fails, and where `signal`
 * ends it.
 */
export async function buildStale(
  print: (line: string) => void,
  root = resolve(import.meta.dirname, '..'),
  signal?: AbortSignal,
): Promise<void> {
  if (!isStale(root)) return
  const env = { ...process.env, NODE_ENV: 'production' } // whatever the user has set
  const child = fork(import.meta.filename, [root], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
  })
  child.on('message', (line) => print(String(line)))
  const ended = new Promise<number | string | null>((done) => {
    child.on('error', ({ message }) => done(message))
    child.on('exit', (code, by) => done(code ?? by))
  })
  const [how, said] = await Promise.all([ended, child.stderr ? text(child.stderr) : ''])
  if (how === 0) return
  if (signal?.aborted) throw new MixlabError('option', 'the build', 'was interrupted')
  const whole = stripVTControlCharacters(said).trim() || `the process that builds ended with ${how}`
  const log = join(root, 'dist/build.log')
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(log, `${whole}\n`)
  const [, error = whole.split('\n')[0]] = /^\[[A-Z_]+\] (.*)/m.exec(whole) ?? [] // of several the first
  const [, place = ''] = /╭─(\[ \S+ \])/.exec(whole) ?? []
  throw new MixlabError('option', 'the page', `cannot be built: ${error} ${place} (the whole log is in ${log})`)
}

/** Whether a source is newer than what was built of it; `dist/built` has the time at which the last build read them. */
export function isStale(root: string): boolean {
  const sources = ['engine', 'renderer', 'app', 'docs', 'experiments', 'package-lock.json']
  return newest(sources.map((name) => join(root, name))) > newest([join(root, 'dist/built')])
}

/** The latest modification, in ms, of files and whole folders; 0 for what is not there. Folders notice deleted files. */
export function newest(paths: string[]): number {
  const times = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isDirectory()) return found?.mtimeMs ?? 0
    return [found.mtimeMs, newest(readdirSync(path).map((name) => join(path, name)))]
  })
  return Math.max(0, ...times)
}

/** The work of the child process, which reports to its parent line by line. */
async function build(root: string, tell: (line: string) => void): Promise<void> {
  if (!isStale(root)) return // another start has just built it
  const begun = Date.now() // what is edited during the build is stale afterwards
  const { createBuilder } = await import('vite')
  for (const [folder, name] of Object.entries(PARTS)) {
    let files = 0
    const seconds = () => Math.round((Date.now() - begun) / 1000)
    const timer = setInterval(() => tell(`building ${name}: ${files} files read, ${seconds()} s`), TELL_EVERY)
    const plugins = [{ name: 'progress', moduleParsed: () => void files++ }]
    tell(`building ${name}...`)
    const configFile = join(root, folder, 'vite.config.ts')
    await (await createBuilder({ configFile, logLevel: 'silent', plugins })).buildApp()
    clearInterval(timer)
  }
  const stamp = join(root, 'dist/built')
  writeFileSync(stamp, '')
  utimesSync(stamp, begun / 1000, begun / 1000)
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit(1)) // its parent is gone
  const [, , root = ''] = process.argv
  const tell = (line: string) => void process.send?.(line)
  try {
    mkdirSync(join(root, 'dist'), { recursive: true })
    const waiting = () => tell('another start builds the page; waiting for it...')
    await alone(join(root, 'dist/lock'), () => build(root, tell), waiting)
    process.exit(0)
  } catch (error) {
    console.error(messageOf(error))
    process.exit(1)
  }
}
