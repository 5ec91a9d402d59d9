import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBuilder } from 'vite'
import { alone } from '../alone.ts'
import type { BuildStep } from './build.ts'
import { isStale, stampOf } from './stale.ts'

// The process in which `buildStale` has a folder built: `node builder.ts ROOT`. It tells its parent what it does.

const PARTS = [
  { name: 'the page', folder: 'renderer' },
  { name: 'the desktop app', folder: 'app/electron' },
]
const TELL_EVERY = 1000 // ms

const [, , root = ''] = process.argv
const tell = (step: BuildStep) => void process.send?.(step)

async function build(): Promise<void> {
  if (!isStale(root)) return // another start has just built it
  const begun = new Date() // what is edited during the build is stale afterwards
  for (const { name, folder } of PARTS) {
    const step = { words: `reading the sources of ${name}`, files: 0 }
    const begin = (words: string) => {
      step.words = words
      tell(step)
    }
    const watch = {
      name: 'steps of the build',
      moduleParsed: () => void step.files++,
      renderStart: () => begin(`writing ${name}`),
    }
    tell(step)
    const timer = setInterval(tell, TELL_EVERY, step)
    const configFile = join(root, folder, 'vite.config.ts')
    const builder = await createBuilder({ configFile, logLevel: 'silent', plugins: [watch] })
    await builder.buildApp()
    clearInterval(timer)
  }
  writeFileSync(stampOf(root), '')
  utimesSync(stampOf(root), begun, begun)
}

process.once('disconnect', () => process.exit(1)) // its parent is gone
try {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const waiting = () => tell({ words: 'another start builds the page; waiting for it', files: 0 })
  await alone(join(root, 'dist/lock'), build, waiting)
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
