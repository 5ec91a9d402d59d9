import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MixlabError } from '../../../engine/errors.ts'
import { isNotebookName } from '../../workspace/notebook-name.ts'
import { notebookAt } from './readNotebook.ts'

/** A notebook that is to be run. */
export interface NotebookFile {
  path: string
  text: string
  /** Whether the user named the file itself, and not its folder. */
  named: boolean
}

/** No notebooks are looked for in this folder, nor in folders whose names begin with a dot. */
const LIBRARIES = 'node_modules'

/**
 * The notebooks that some paths name, each once: files, and of a folder all `.ts` files, sorted, those of its folders too.
 * Throws MixlabError `notebook` for what cannot be read, and for a folder without a notebook.
 */
export async function notebooksAt(paths: readonly string[]): Promise<NotebookFile[]> {
  const found = new Map<string, NotebookFile>()
  for (const given of paths) {
    if (given === '') throw new MixlabError('notebook', "''", 'expected the path of a notebook or a folder')
    if (given.endsWith('.ipynb')) throw new MixlabError('notebook', given, `convert it first: ${conversion(given)}`)
    const path = resolve(given)
    const named = !(await isFolder(path))
    const files = named ? [path] : await notebooksIn(path)
    if (files.length === 0) throw new MixlabError('notebook', path, 'has no notebook, a file that ends in .ts')
    for (const file of files) {
      const text = await notebookAt(file)
      const real = await realpath(file)
      const known = found.get(real)
      if (known) known.named ||= named
      else found.set(real, { path: file, text, named })
    }
  }
  return [...found.values()]
}

const conversion = (path: string) => `mixlab convert ${path} -o ${path.replace(/ipynb$/, 'ts')}`

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function notebooksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new MixlabError('notebook', folder, `cannot be read: ${code ?? message}`)
  })
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const nested = await Promise.all(
    sorted.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name.startsWith('.') || entry.name === LIBRARIES ? [] : notebooksIn(path)
      return isNotebookName(entry.name) && (entry.isFile() || !(await isFolder(path))) ? [path] : []
    }),
  )
  return nested.flat()
}
