import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { MixlabError } from '../../engine/errors.ts'
import { isStale } from './stale.ts'

/** What the process that builds says: what it does, in words, and how many files it has read for that. */
export interface BuildStep {
  words: string
  files: number
}

const thisRoot = resolve(import.meta.dirname, '../..')
const SAY_EVERY = 5000 // ms

/**
 * Builds page and desktop app into `dist/` of `root` if a source is newer than the last build, in a process of its own,
 * for a bundler never gives its memory back. `print` hears what it does at every step, and every few seconds that it goes on. Throws MixlabError
 * `option`, in one sentence that names the log, where it fails, and where `signal` ends it.
 */
export async function buildStale(print: (line: string) => void, root = thisRoot, signal?: AbortSignal): Promise<void> {
  if (!isStale(root)) return
  const child = fork(join(import.meta.dirname, 'builder.ts'), [root], {
    env: { ...process.env, NODE_ENV: 'production' }, // whatever the user has set
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const stop = () => child.kill()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  const begun = Date.now()
  let step: BuildStep = { words: 'starting the build', files: 0 }
  child.on('message', (next: BuildStep) => {
    if (next.words !== step.words) print(`${next.words}...`)
    step = next
  })
  const timer = setInterval(() => {
    const read = step.files > 0 ? `, ${step.files} files read` : ''
    print(`${step.words}${read}, ${Math.round((Date.now() - begun) / 1000)} s`)
  }, SAY_EVERY)
  const ended = new Promise<number | string | null>((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code, by) => done(code ?? by))
  })
  const [how, said] = await Promise.all([ended, child.stderr ? text(child.stderr) : '']).finally(() => {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
  })
  if (how === 0) return
  if (signal?.aborted) throw new MixlabError('option', 'the build', 'was interrupted')
  const log = join(root, 'dist/build.log')
  const whole = stripVTControlCharacters(said).trim() || `The process that builds ended with ${how}.`
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(log, `${whole}\n`)
  throw new MixlabError('option', 'the page', `cannot be built: ${sentenceOf(whole)} (the whole log is in ${log})`)
}

/** The first error in what the bundler says, with its place; of another text the first line. */
function sentenceOf(said: string): string {
  const [first = ''] = said.split('\n')
  const [, error = first] = /^\[[A-Z_]+\] (.*)/m.exec(said) ?? []
  const [, place] = /╭─\[ (\S+) \]/.exec(said) ?? []
  return (place && !error.includes(place) ? `${error}, ${place}` : error).trim()
}
