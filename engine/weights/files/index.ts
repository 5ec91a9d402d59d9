import { MixlabError } from '../../errors.ts'
import { type NamedTensor, readSafetensors } from '../safetensors.ts'
import { readNpz } from './npz.ts'
import { sources } from './sources.ts'

/** The first bytes of a zip file. */
const ZIP = [0x50, 0x4b]

/**
 * The tensors of a weights file with our names and layouts, whichever of sources.ts it is from. Throws MixlabError
 * `weights`; `source` names the file.
 */
export function readWeightsFile(file: Uint8Array, source: string): NamedTensor[] {
  const isZip = ZIP.every((byte, i) => file[i] === byte)
  const tensors = isZip ? readNpz(file, source) : readSafetensors(file, source).tensors
  if (tensors.length === 0) throw new MixlabError('weights', source, 'has no tensors')
  const known = tensors.map(({ name }) => name)
  const from = sources.find(({ is }) => is(known))
  return from ? from.read(tensors) : tensors
}
