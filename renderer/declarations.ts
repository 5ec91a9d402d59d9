import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Plugin } from 'vite'

const root = resolve(import.meta.dirname, '..')
const packages = join(root, 'node_modules')

/** What declarations name in `from '...'` and `import('...')`. */
const NAMED = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g
const LICENCE = /\/\*\*?\s*\*?\s*@license[\s\S]*?\*\/\s*/g

/** Prints below the cell; evaluation gives it. */
const CONSOLE = `
/** Prints below the cell. */
declare const console: Record<'debug' | 'log' | 'info' | 'warn' | 'error', (...values: unknown[]) => void>
`

/** Gives `virtual:declarations`, the result of `collectDeclarations`, made when a build first asks for it. */
export function declarations(): Plugin {
  return {
    name: 'declarations',
    resolveId: (id) => (id === 'virtual:declarations' ? `\0${id}` : null),
    load: async (id) =>
      id === '\0virtual:declarations' ? `export default ${JSON.stringify(await collectDeclarations())}` : undefined,
  }
}

/**
 * The declarations of what a cell can import and of all that these name, by path: `/node_modules/mixlab/...`, compiled
 * from the engine, and those of other packages; and the globals of a cell in `/globals.d.ts`. Takes seconds.
 */
export async function collectDeclarations(): Promise<Record<string, string>> {
  const compiled = mkdtempSync(join(tmpdir(), 'mixlab-declarations-'))
  try {
    await compileEngine(compiled)
    const found: Record<string, string> = { '/globals.d.ts': readFileSync(join(root, 'engine/globals.d.ts')) + CONSOLE }
    // Sets are visited with what is added on the way.
    const wanted = new Set([join(compiled, 'index.d.ts'), entryOf('@tensorflow/tfjs')])
    for (const path of wanted) {
      const text = readFileSync(path, 'utf8').replace(LICENCE, '')
      found[path.startsWith(compiled) ? shown(path, compiled, 'mixlab/') : shown(path, packages)] = text
      for (const [, , name = ''] of text.matchAll(NAMED)) {
        const named = name.startsWith('.') ? declarationAt(join(dirname(path), name)) : ofPackage(name, found)
        if (named) wanted.add(named)
      }
    }
    ofPackage('@tensorflow/tfjs', found)
    return found
  } finally {
    rmSync(compiled, { recursive: true, force: true })
  }
}

async function compileEngine(folder: string): Promise<void> {
  const tsc = join(packages, 'typescript/bin/tsc')
  const args = [tsc, '-p', join(root, 'engine'), '--noCheck', '--checkers', '1', '--outDir', folder]
  const said = await new Promise((done) => execFile(process.execPath, args, (_, stdout) => done(stdout)))
  // Type errors are for the tests to find: these are written without looking for any, in a third of the time.
  if (!existsSync(join(folder, 'index.d.ts')))
    throw new Error(`the declarations of the engine cannot be compiled: ${said}`)
}

/** The declarations of `zod` or `@tensorflow/tfjs-core/dist/tensor`; null for what has none here, such as 'fs'. */
function ofPackage(name: string, found: Record<string, string>): string | null {
  const [, own = '', inner] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(name) ?? []
  if (inner) return declarationAt(join(packages, own, inner))
  if (!existsSync(join(packages, own, 'package.json'))) return null
  const entry = entryOf(own)
  const path = relative(join(packages, own), entry).replace(/\.d\.ts$/, '')
  if (path !== 'index') found[`/node_modules/${own}/index.d.ts`] = `export * from './${path}'\n`
  return entry
}

function entryOf(name: string): string {
  const { types = 'index.d.ts' } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return join(packages, name, types.replace(/\.d\.cts$/, '.d.ts'))
}

function declarationAt(path: string): string | null {
  const bare = path.replace(/\.[tj]s$/, '')
  return [`${bare}.d.ts`, join(bare, 'index.d.ts')].find((each) => existsSync(each)) ?? null
}

function shown(path: string, folder: string, under = ''): string {
  return `/node_modules/${under}${relative(folder, path).split(sep).join('/')}`
}
