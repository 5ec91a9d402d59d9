#!/usr/bin/env node
// Plain JavaScript, so that an old Node gets as far as the sentence below: SQLite's binding ends it without a word.
import { readFileSync } from 'node:fs'

const major = Number(process.versions.node.split('.')[0])
if (major < 26) {
  console.error(`mixlab needs Node 26, this is ${process.versions.node}; 'npx mixlab' in the project brings its own`)
  process.exit(1)
}
tellLimits()
// keeps what Node makes of TypeScript: the next start is quicker and takes less memory
const { enableCompileCache } = await import('node:module')
enableCompileCache()
const { currentBundle } = await import('./cells/bundle.ts')
const { resolve } = await import('node:path')
const { pathToFileURL } = await import('node:url')
const bundle = currentBundle(resolve(import.meta.dirname, '..'), 'cli') // starts sooner than its many sources
const { main } = await import(bundle === null ? './cli/terminal/main.ts' : pathToFileURL(bundle).href)
process.exitCode = await main(process.argv.slice(2))

/** Says where the shell allows less than is needed: Node crashes then at whatever moment, without a word that helps. */
function tellLimits() {
  const limits = readLimits()
  const most = (name) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  const files = most('Max open files')
  if (files < 64) {
    console.error(
      `mixlab opens up to 64 files at once, and 'ulimit -n' allows ${files} here; 'ulimit -n 1024' allows more`,
    )
    process.exit(1)
  }
  const gigabytes = most('Max address space') / 2 ** 30
  if (gigabytes < 32) {
    console.error(
      `mixlab: 'ulimit -v' allows ${gigabytes.toFixed(1)} GB of addresses here, and training reserves up to 32, which take no memory until they are used; 'ulimit -v unlimited' allows more`,
    )
  }
}

/** The limits of this process as Linux tells them; other systems do not. */
function readLimits() {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
