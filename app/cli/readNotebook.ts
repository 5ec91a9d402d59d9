import { readFile } from 'node:fs/promises'
import { MixlabError } from '../../engine/errors.ts'

/** The text of a notebook anywhere. Throws MixlabError `notebook`. */
export async function notebookAt(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'no such file' : (error.code ?? error.message)
    throw new MixlabError('notebook', path, `cannot be read: ${why}`)
  })
}
