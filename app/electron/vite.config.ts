import { defineConfig } from 'vite'

const external = ['electron', 'better-sqlite3']

/** Builds main, store, its readers and query (ECMAScript modules) and the preload script (CommonJS, as the sandbox wants) into dist/electron. */
export default defineConfig({
  root: import.meta.dirname,
  builder: {
    async buildApp({ build, environments: { main, preload } }) {
      if (main) await build(main)
      if (preload) await build(preload)
    },
  },
  resolve: { conditions: ['node'] },
  environments: {
    main: {
      consumer: 'server',
      resolve: { external, noExternal: true },
      build: {
        outDir: '../../dist/electron',
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        rolldownOptions: {
          input: {
            main: './main.ts',
            store: './store.ts',
            reader: '../store/readers/thread.ts',
            query: './query.ts',
            pictures: '../pictures/pictureThread.ts',
          },
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
    preload: {
      consumer: 'server',
      resolve: { external, noExternal: true },
      build: {
        outDir: '../../dist/electron',
        emptyOutDir: false,
        target: 'chrome140',
        minify: false,
        rolldownOptions: {
          input: { preload: './preload.ts' },
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    },
  },
})
