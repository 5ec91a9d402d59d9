#!/usr/bin/env node
// Plain JavaScript, so that an old Node gets as far as the sentence below: SQLite's binding ends it without a word.
const major = Number(process.versions.node.split('.')[0])
if (major < 26) {
  console.error(`mixlab needs Node 26, this is ${process.versions.node}; 'npx mixlab' in the project brings its own`)
  process.exit(1)
}
// keeps what Node makes of TypeScript: the next start is quicker and takes less memory
const { enableCompileCache } = await import('node:module')
enableCompileCache()
const { currentBundle } = await import('./cells/bundle.ts')
const { resolve } = await import('node:path')
const { pathToFileURL } = await import('node:url')
const bundle = currentBundle(resolve(import.meta.dirname, '..'), 'cli') // starts sooner than its many sources
const { main } = await import(bundle === null ? './cli/terminal/main.ts' : pathToFileURL(bundle).href)
process.exitCode = await main(process.argv.slice(2))
