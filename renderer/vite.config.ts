import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { ascii } from '../engine/ascii.ts'
import { declarations } from './declarations.ts'

/**
 * Builds the page of the workbench and the page of the desktop's hidden window into dist/page. The kernel worker keeps
 * its name, for it is served with a policy of its own.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), ascii()],
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's policy allows no data: fonts or scripts
    rolldownOptions: {
      input: { index: `${import.meta.dirname}/index.html`, kernels: `${import.meta.dirname}/kernels.html` },
    },
    chunkSizeWarningLimit: 6000, // Monaco, Plotly and tfjs are each loaded once, from disk
  },
  worker: { format: 'es', plugins: () => [declarations(), ascii()] },
})
