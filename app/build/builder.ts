import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBuilder } from 'vite'
import { alone } from '../alone.ts'
import { isStale } from './build.ts'

// The process that builds for `buildStale`: `node builder.ts ROOT`. It tells its parent, line by line, what it does.

const PARTS = { renderer: 'the page', 'app/electron': 'the desktop app' }
const TELL_EVERY = 5000 // ms
const [, , root = ''] = process.argv
const stamp = join(root, 'dist/built')
const tell = (line: string) => void process.send?.(line)

async function build(): Promise<void> {
  if (!isStale(root)) return // another start has just built it
  const begun = Date.now() // what is edited during the build is stale afterwards
  for (const [folder, name] of Object.entries(PARTS)) {
    let [step, files] = ['', 0]
    const begin = (next: string) => {
      step = next
      tell(`${step}...`)
    }
    const seconds = () => Math.round((Date.now() - begun) / 1000)
    const timer = setInterval(() => tell(`${step}: ${files} files read, ${seconds()} s`), TELL_EVERY)
    const renderStart = () => begin(`writing ${name}`)
    const plugins = [{ name: 'progress', moduleParsed: () => void files++, renderStart }]
    begin(`reading the sources of ${name}`)
    const configFile = join(root, folder, 'vite.config.ts')
    await (await createBuilder({ configFile, logLevel: 'silent', plugins })).buildApp()
    clearInterval(timer)
  }
  writeFileSync(stamp, '')
  utimesSync(stamp, begun / 1000, begun / 1000)
}

process.once('disconnect', () => process.exit(1)) // its parent is gone
try {
  mkdirSync(join(root, 'dist'), { recursive: true })
  await alone(join(root, 'dist/lock'), build, () => tell('another start builds the page; waiting for it...'))
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
