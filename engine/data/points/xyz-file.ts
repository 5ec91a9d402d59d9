import { MixlabError } from '../../errors.ts'
import { textLines } from './text-lines.ts'

/**
 * Reads a cloud with a point per line: x y z, apart by spaces; more columns, e.g. normals, are passed over. Gives
 * `[points, 3]`, flat. Throws MixlabError `data` with `path`, the name of the file, and the line.
 */
export function parseXyz(bytes: Uint8Array, path: string): number[] {
  const lines = textLines(bytes, path)
  const cloud: number[] = []
  for (let words = lines.next(); words; words = lines.next()) {
    for (let axis = 0; axis < 3; axis++) cloud.push(lines.number(words[axis], 'a point as x y z'))
  }
  if (cloud.length === 0) throw new MixlabError('data', path, bytes.length === 0 ? 'empty file' : 'no points')
  return cloud
}
