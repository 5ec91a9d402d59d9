import { readFile } from 'node:fs/promises'
import { MixlabError } from '../../../engine/errors.ts'

/** The bytes of a file that the user names. Throws MixlabError `data`. */
export async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new MixlabError('data', path, missing ? 'no such file' : 'cannot be read')
  }
}
