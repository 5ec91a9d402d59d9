import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { defineConfig, type EnvironmentOptions, type Plugin, perEnvironmentPlugin } from 'vite'
import { ascii } from '../../engine/ascii.ts'
import { currentBundle, folderOf, recordInputs } from './bundle.ts'

const root = resolve(import.meta.dirname, '../..')
const own = [
  ...['app/cells/vite.config.ts', 'app/cells/bundle.ts', 'engine/ascii.ts'],
  ...['tsconfig.json', 'app/tsconfig.json', 'engine/tsconfig.json'],
]

/** Makes a script of each thread that code starts from `new URL('./<name>.ts', import.meta.url)`; all scripts share a folder. */
const threads: Plugin = {
  name: 'threads',
  transform(code, id) {
    return code.replaceAll(/new URL\(["'](\.\/\w+)\.ts["'], import\.meta\.url\)/g, (_, path: string) => {
      this.emitFile({ type: 'chunk', id: resolve(id, '..', `${path}.ts`), fileName: `${basename(path)}.js` })
      return `new URL('${path}.js', import.meta.url)`
    })
  },
}

/** Has code find its files where its source is: other scripts of the project, and what is read or written there. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (!isAbsolute(id) || id.includes('node_modules')) return null
    const source = `/${relative(join(root, folderOf('cli')), id)}` // from the folder of any bundle
    return code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(dirname(source))})`)
      .replaceAll('import.meta.filename', `(import.meta.dirname + ${JSON.stringify(source)})`)
      .replaceAll('import.meta.main', 'false')
  },
}

/** Gives namespaces of modules no prototype, as Node does: cells see the same in both. */
const namespaces: Plugin = {
  name: 'namespaces',
  renderChunk: (code) => code.replace(/(__exportAll = .*\s+let target = ){}/, '$1Object.create(null)'),
}

/** What builds a bundle from `input`, with all packages but the `external` ones in it. */
const bundled = (name: string, input: Record<string, string>, external: (string | RegExp)[]): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true },
  build: {
    outDir: join(root, folderOf(name)),
    emptyOutDir: true,
    target: 'node26',
    minify: false, // an error may print a line
    rolldownOptions: {
      external,
      input,
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
    },
  },
})

/**
 * Builds what the command line starts from: its commands into dist/cli, processes of cells into dist/cells. A current bundle
 * stays as it is, for a process may be starting from it.
 */
export default defineConfig({
  root: import.meta.dirname,
  builder: {
    async buildApp({ build, environments: { cli, cells } }) {
      if (!cli || !cells) return
      if (currentBundle(root, 'cli')) cli.isBuilt = true
      else await build(cli)
      if (currentBundle(root, 'cells')) cells.isBuilt = true
      else await build(cells)
    },
  },
  plugins: [
    ...[threads, places, namespaces, ascii()],
    perEnvironmentPlugin('inputs', ({ name }) => recordInputs(root, name, own)),
  ],
  resolve: { conditions: ['node'] },
  environments: {
    // packages that load files beside them, that few commands need, or that are the builder itself
    cli: bundled('cli', { main: '../cli/terminal/main.ts' }, [
      ...['better-sqlite3', 'bullmq', 'ioredis', 'vite', 'webgpu', 'ws'],
      /^@tensorflow\//,
    ]),
    // the peer of benchmarks trains as such a process does; tfjs asks for node-fetch where there is no fetch
    cells: bundled('cells', { process: './process.ts', worker: '../bench/worker.ts' }, [
      ...['webgpu', 'node-fetch', '@tensorflow/tfjs-backend-wasm'],
    ]),
  },
})
