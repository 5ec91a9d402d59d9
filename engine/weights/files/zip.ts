import { type UnzipFileInfo, unzipSync } from 'fflate'
import { MAX_DEFLATE_RATIO } from '../../data/inflate.ts'
import { type Fail, MixlabError, messageOf, quoted } from '../../errors.ts'
import { checkMemory } from './convert.ts'

/** What an entry of a zip takes at least among the others at the end, in bytes. */
const ENTRY = 46

/**
 * Those entries of a zip file that are `wanted`, by name. Throws what `fail` makes for a damaged file, for an entry that
 * claims more than deflate can shrink or is there twice, and where all together take more than a file of that size can
 * mean; nothing is inflated before.
 */
export function unzipped(file: Uint8Array, wanted: (name: string) => boolean, fail: Fail): Record<string, Uint8Array> {
  let [sum, left] = [0, Math.floor(file.length / ENTRY)]
  const names = new Set<string>()
  const isSound = ({ name, size, originalSize }: UnzipFileInfo) => {
    if (left-- === 0) throw fail('its zip claims more entries than it can have')
    if (!wanted(name)) return false
    if (names.size === names.add(name).size) throw fail(`has ${quoted(name)} twice`)
    if (originalSize > Math.max(size, 1) * MAX_DEFLATE_RATIO)
      throw fail(`${quoted(name)} claims ${originalSize} bytes of ${size}`)
    sum += originalSize
    checkMemory(sum, file.length, fail)
    return true
  }
  try {
    return unzipSync(file, { filter: isSound })
  } catch (error) {
    if (error instanceof MixlabError) throw error
    throw fail(`is a damaged zip, or one cut short: ${messageOf(error)}`)
  }
}
