import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { parse } from 'acorn'
import { createBuilder } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../store/samples.ts'

const root = resolve(import.meta.dirname, '../../..')
const installation = freshFolder()
const outDir = join(installation, 'dist/electron')

beforeAll(async () => {
  mkdirSync(outDir, { recursive: true })
  cpSync(join(root, 'experiments'), join(installation, 'experiments'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(installation, 'node_modules'), 'junction')
  const build = { outDir }
  const builder = await createBuilder({
    configFile: join(root, 'app/electron/vite.config.ts'),
    environments: { main: { build }, preload: { build } },
    logLevel: 'error',
  })
  await builder.buildApp()
})

/** What a built file imports from elsewhere: packages, not its neighbours, which may import it, and not Node. */
function packagesOf(name: string, known = new Set<string>()): string[] {
  if (known.has(name)) return []
  known.add(name)
  const imports = importedBy(readFileSync(join(outDir, name), 'utf8'), name.endsWith('.cjs') ? 'script' : 'module')
  const neighbours = imports.filter((path) => path.startsWith('./')).flatMap((path) => packagesOf(path.slice(2), known))
  const packages = imports.filter((path) => !path.startsWith('.') && !isBuiltin(path))
  return [...new Set([...packages, ...neighbours])]
}

/** What the code of a file imports; comments and texts of what is bundled have imports, too. */
function importedBy(text: string, sourceType: 'module' | 'script'): string[] {
  const found: string[] = []
  JSON.stringify(parse(text, { ecmaVersion: 'latest', sourceType }), (_, node) => {
    const requires = node?.type === 'CallExpression' && node.callee.name === 'require'
    const source = requires ? node.arguments[0] : /^(Import|Export)/.test(node?.type) ? node.source : null
    if (typeof source?.value === 'string') found.push(source.value)
    return typeof node === 'bigint' ? null : node
  })
  return found
}

describe('the build of the desktop app', () => {
  it('has main, store, reader and query as modules and the preload script as CommonJS', () => {
    expect(readdirSync(outDir)).toEqual(
      expect.arrayContaining(['main.js', 'preload.cjs', 'query.js', 'reader.js', 'store.js']),
    )
    for (const name of readdirSync(outDir)) {
      const sourceType = name.endsWith('.cjs') ? 'script' : 'module'
      const text = readFileSync(join(outDir, name), 'utf8')
      expect(() => parse(text, { ecmaVersion: 'latest', sourceType }), name).not.toThrow()
    }
  })

  it('leaves out what Electron and the binary of SQLite bring', () => {
    expect(packagesOf('main.js')).toEqual(['electron'])
    expect(packagesOf('store.js')).toEqual(['better-sqlite3'])
    expect(packagesOf('reader.js')).toEqual(['better-sqlite3'])
    expect(packagesOf('query.js')).toEqual(['better-sqlite3'])
  })

  it('has a preload script that stands alone, as the sandbox wants', () => {
    expect(packagesOf('preload.cjs')).toEqual(['electron'])
    expect(readFileSync(join(outDir, 'preload.cjs'), 'utf8')).not.toMatch(/require\(["'](?!electron)/)
  })

  it('has a store that opens a workspace with its ready notebook and answers', () => {
    const workspace = join(installation, 'workspace')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'drive-store.ts'), join(outDir, 'store.js'), `--workspace=${workspace}`],
      { encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ workspace: expect.any(String), notebook: 'first-comparison.ts' })
    expect(readdirSync(workspace).sort()).toEqual(['.mixlab', 'first-comparison.ts'])
  })
})
