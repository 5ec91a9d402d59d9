import { readFile } from 'node:fs/promises'
import { MixlabError } from '../../../engine/errors.ts'

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder without a file that is read',
  ERR_FS_FILE_TOO_LARGE: 'is larger than 2 GiB',
}

/** The bytes of a file that the user names. Throws MixlabError `data`. */
export async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new MixlabError('data', path, REASONS[code] ?? 'cannot be read')
  }
}
