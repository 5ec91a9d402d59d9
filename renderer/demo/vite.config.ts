import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the script of demos into one file beside the page, which exports put into theirs. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../../dist/page',
    emptyOutDir: false,
    target: 'es2022',
    rolldownOptions: {
      input: `${import.meta.dirname}/player.tsx`,
      output: { format: 'iife', entryFileNames: 'player.js', codeSplitting: false },
    },
    chunkSizeWarningLimit: 6000,
  },
})
