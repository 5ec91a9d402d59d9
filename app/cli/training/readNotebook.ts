import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { closest, MixlabError } from '../../../engine/errors.ts'
import { fileErrorCode, fileErrorReason } from '../../workspace/file-error.ts'
import { isNotebookName } from '../../workspace/notebook-name.ts'
import { readRegularFile } from '../../workspace/regular-file.ts'

/** The text of a notebook anywhere. Throws MixlabError `notebook`, naming a notebook of the folder with a name close by. */
export async function notebookAt(path: string): Promise<string> {
  try {
    return readRegularFile(path).toString()
  } catch (error) {
    const why = fileErrorCode(error) === 'ENOENT' ? `no such file${await closeTo(path)}` : fileErrorReason(error)
    throw new MixlabError('notebook', path, `cannot be read: ${why}`)
  }
}

async function closeTo(path: string): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => [])
  const close = closest(basename(path), names.filter(isNotebookName))
  return close === null ? '' : ` (did you mean '${close}'?)`
}
