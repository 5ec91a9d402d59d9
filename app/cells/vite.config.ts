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
  plugins: [threads, namespaces, recordInputs(root, own)],
  resolve: { conditions: ['node'] },
  environments: {
    cells: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(root, FOLDER),
        emptyOutDir: true,
        target: 'node26',
        minify: false, // it would start no sooner
        rolldownOptions: {
          external: ['webgpu', /^@tensorflow\//], // the very modules that cells get, and one file each anyway
          input: { process: './process.ts' },
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
  },
})
