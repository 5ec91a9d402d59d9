import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { Plugin } from 'vite'

/** What the build makes for the command line, each in a folder of its own: its commands, and processes of cells. */
const BUNDLES = { cli: 'main.js', cells: 'process.js' }
export type BundleName = keyof typeof BUNDLES

/** Where the build puts a bundle, below the root of the project. */
export const folderOf = (bundle: string) => `dist/${bundle}`
const INPUTS = 'inputs.json'

/** npm writes it whenever it installs packages; it stands for all their files. */
const INSTALLED = 'node_modules/.package-lock.json'

/**
 * The script from which commands or processes of cells start; null where there is none, or where one of its sources, or what
 * is installed, has another size or time of modification than when it was read, be it an older one. Takes a few ms.
 */
export function currentBundle(root: string, bundle: BundleName): string | null {
  const folder = join(root, folderOf(bundle))
  const inputs = inputsIn(folder)
  if (!inputs) return null
  const isAsRead = (path: string) => inputs[path] !== null && inputs[path] === stampOf(`${root}/${path}`)
  return Object.keys(inputs).every(isAsRead) ? join(folder, BUNDLES[bundle]) : null
}

/** Vite's plugin that writes down what a bundle of `root` is made of, `own` files among it. */
export function recordInputs(root: string, bundle: string, own: string[]): Plugin {
  const inputs: Record<string, string | null> = {}
  const record = (path: string) => {
    inputs[path] = stampOf(join(root, path))
  }
  return {
    name: 'inputs',
    enforce: 'pre',
    buildStart: () => [INSTALLED, ...own].forEach(record),
    load(id) {
      const path = relative(root, id)
      // before it is read: what is edited meanwhile has another stamp
      if (isAbsolute(id) && !path.includes('node_modules')) record(path)
      return null
    },
    // last of all: without it there is no bundle
    writeBundle: () => writeFileSync(join(root, folderOf(bundle), INPUTS), JSON.stringify(inputs)),
  }
}

function inputsIn(folder: string): Record<string, string | null> | null {
  try {
    return JSON.parse(readFileSync(join(folder, INPUTS), 'utf8'))
  } catch {
    return null
  }
}

/** Time of modification in ms, and size in bytes; null for no file. */
function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.mtimeMs} ${found.size}` : null
}
