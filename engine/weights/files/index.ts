import { MixlabError } from '../../errors.ts'
import { DESCRIPTION, type NamedTensor, readSafetensors } from '../safetensors.ts'
import { readNpz, textInNpz } from './npz.ts'
import { sources } from './sources.ts'

/** The first bytes of a zip file. */
const ZIP = [0x50, 0x4b]

/** What the description is called in an .npz. */
export const DESCRIPTION_FILE = `${DESCRIPTION}.json`

/**
 * The tensors of a weights file with our names and layouts, whichever of sources.ts it is from. Throws MixlabError
 * `weights`; `source` names the file.
 */
export function readWeightsFile(file: Uint8Array, source: string): NamedTensor[] {
  const tensors = isZip(file) ? readNpz(file, source) : readSafetensors(file, source).tensors
  if (tensors.length === 0) throw new MixlabError('weights', source, 'has no tensors')
  const known = tensors.map(({ name }) => name)
  const from = sources.find(({ is }) => is(known))
  return from ? from.read(tensors) : tensors
}

/** What an exported model says of itself in such a file, as JSON; null where it says nothing. Throws as `readWeightsFile`. */
export function descriptionIn(file: Uint8Array, source: string): string | null {
  if (isZip(file)) return textInNpz(file, DESCRIPTION_FILE)
  return readSafetensors(file, source).metadata[DESCRIPTION] ?? null
}

const isZip = (file: Uint8Array) => ZIP.every((byte, i) => file[i] === byte)
