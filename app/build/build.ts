import { fork } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { MixlabError } from '../../engine/errors.ts'

/**
 * Builds page and desktop app into `dist/` of `root` if a source is newer than the last build, in a process of its own,
 * for a bundler never gives its memory back. `print` hears what it does, at every step and every few seconds. Throws
 * MixlabError `option`, in one sentence that names the log, where it fails, and where `signal` ends it.
 */
export async function buildStale(
  print: (line: string) => void,
  root = resolve(import.meta.dirname, '../..'),
  signal?: AbortSignal,
): Promise<void> {
  if (!isStale(root)) return
  const child = fork(join(import.meta.dirname, 'builder.ts'), [root], {
    env: { ...process.env, NODE_ENV: 'production' }, // whatever the user has set
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
  throw new MixlabError('option', 'the page', `cannot be built: ${sentenceOf(whole)} (the whole log is in ${log})`)
}

/** The first error in what the bundler says, with its place; of another text the first line. */
function sentenceOf(said: string): string {
  const [, error = said.split('\n')[0]] = /^\[[A-Z_]+\] (.*)/m.exec(said) ?? []
  const [, place = ''] = /╭─(\[ \S+ \])/.exec(said) ?? []
  return `${error} ${place}`.trim()
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
