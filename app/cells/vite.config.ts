import { basename, join, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { currentBundle, FOLDER, recordInputs } from './bundle.ts'

const root = resolve(import.meta.dirname, '../..')
const own = [
  ...['app/cells/vite.config.ts', 'app/cells/bundle.ts'],
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

/** Gives namespaces of modules no prototype, as Node does: cells see the same in both. */
const namespaces: Plugin = {
  name: 'namespaces',
  renderChunk: (code) => code.replace(/(__exportAll = .*\s+let target = ){}/, '$1Object.create(null)'),
}

/** Writes other characters than those of ASCII as escapes: Node reads ASCII sooner, and V8 keeps it in one byte a character. */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      // each half of a pair by itself
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}

/** Builds what processes of cells start from into dist/cells. A current one stays as it is, for a process may be starting from it. */
export default defineConfig({
  root: import.meta.dirname,
  builder: {
    async buildApp({ build, environments: { cells } }) {
      if (!cells) return
      if (currentBundle(root)) cells.isBuilt = true
      else await build(cells)
    },
  },
  plugins: [threads, namespaces, ascii, recordInputs(root, own)],
  resolve: { conditions: ['node'] },
  environments: {
    cells: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(root, FOLDER),
        emptyOutDir: true,
        target: 'node26',
        minify: false, // an error may print a line
        rolldownOptions: {
          external: ['webgpu', 'node-fetch'], // tfjs asks for the latter where there is no fetch
          input: { process: './process.ts' },
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
        },
      },
    },
  },
})
