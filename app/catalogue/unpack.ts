import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import type { CatalogueFile } from '../../engine/data/catalogue/index.ts'
import { bytesText, MAX_FILE_MEMORY } from '../../engine/data/inflate.ts'

/** The files in an archive by their names without folders, but for hidden ones. Throws for what is no such archive. */
export function unpack(bytes: Uint8Array, archive: NonNullable<CatalogueFile['archive']>): Map<string, Uint8Array> {
  const members =
    archive === 'zip' ? zipMembers(bytes) : tarMembers(gunzipSync(bytes, { maxOutputLength: MAX_FILE_MEMORY }))
  const files = members
    .filter(([path]) => !path.endsWith('/'))
    .map(([path, content]) => [basename(path), content] as const)
  return new Map(files.filter(([name]) => !name.startsWith('.')))
}

function zipMembers(bytes: Uint8Array): [string, Uint8Array][] {
  let sum = 0
  const filter = ({ originalSize }: { originalSize: number }) => {
    sum += originalSize
    if (sum > MAX_FILE_MEMORY) throw new Error(`its files take more than ${bytesText(MAX_FILE_MEMORY)}`)
    return true
  }
  return Object.entries(unzipSync(bytes, { filter }))
}

const BLOCK = 512

/** The regular files of a tar archive (POSIX ustar): a block that says what comes, then its bytes, filled up to blocks. */
function tarMembers(bytes: Uint8Array): [string, Uint8Array][] {
  const members: [string, Uint8Array][] = []
  const text = (from: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*/s, '')
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const path = text(at, 100)
    const size = Number.parseInt(text(at + 124, 12), 8)
    const type = text(at + 156, 1)
    const start = at + BLOCK
    if (!(start + size <= bytes.length)) throw new Error(`tar archive: '${path}' at offset ${at} is not whole`)
    if (type === '' || type === '0') members.push([path, bytes.subarray(start, start + size)])
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return members
}
