import { type UnzipFileInfo, unzipSync } from 'fflate'
import { bytesText, MAX_DEFLATE_RATIO, MAX_FILE_MEMORY } from '../../data/inflate.ts'
import { type Fail, MixlabError, messageOf, quoted } from '../../errors.ts'

/** The first bytes of a zip file. */
const ZIP = [0x50, 0x4b]

export const isZip = (file: Uint8Array) => ZIP.every((byte, i) => file[i] === byte)

/** What an entry of a zip takes at least among the others at the end, in bytes. */
const ENTRY = 46

/**
 * Those entries of a zip file that are `wanted`, by name. Throws what `fail` makes for a damaged file, for an entry that
 * claims more than deflate can shrink, and where all together take more than `MAX_FILE_MEMORY`; nothing is inflated before.
 */
export function unzipped(file: Uint8Array, wanted: (name: string) => boolean, fail: Fail): Record<string, Uint8Array> {
  let [sum, left] = [0, Math.floor(file.length / ENTRY)]
  const isSound = ({ name, size, originalSize }: UnzipFileInfo) => {
    if (left-- === 0) throw fail('its zip claims more entries than it can have')
    if (!wanted(name)) return false
    if (originalSize > Math.max(size, 1) * MAX_DEFLATE_RATIO)
      throw fail(`${quoted(name)} claims ${originalSize} bytes of ${size}`)
    sum += originalSize
    if (sum > MAX_FILE_MEMORY) throw fail(`its arrays take more than ${bytesText(MAX_FILE_MEMORY)}`)
    return true
  }
  try {
    return unzipSync(file, { filter: isSound })
  } catch (error) {
    if (error instanceof MixlabError) throw error
    throw fail(`not a zip of arrays, or damaged: ${messageOf(error)}`)
  }
}
