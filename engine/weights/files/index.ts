import { MixlabError } from '../../errors.ts'
import type { Facts } from '../foreign/facts.ts'
import { DESCRIPTION, type NamedTensor, readSafetensors } from '../safetensors.ts'
import { readNpz, textInNpz } from './npz.ts'
import { withoutPrefix } from './prefix.ts'
import { type Source, sources } from './sources.ts'

/** The first bytes of a zip file. */
const ZIP = [0x50, 0x4b]

/** What the description is called in an .npz. */
export const DESCRIPTION_FILE = `${DESCRIPTION}.json`

/** A file of weights, whichever of sources.ts it is from. */
export interface WeightsOfFile {
  /** With our names and layouts. */
  tensors: NamedTensor[]
  /** What its layouts said, and what the code of its source has where nothing says otherwise. */
  evident: Facts
  usual: Facts
}

/**
 * Reads a file of weights. Of several models in it, whose names begin otherwise, that behind `prefix`. Throws MixlabError
 * `weights`; `source` names the file.
 */
export function openWeightsFile(file: Uint8Array, source: string, prefix?: string): WeightsOfFile {
  const all = isZip(file) ? readNpz(file, source) : readSafetensors(file, source).tensors
  if (all.length === 0) throw new MixlabError('weights', source, 'has no tensors')
  const tensors = withoutPrefix(all, prefix, source)
  const names = tensors.map(({ name }) => name)
  const from = sources.find(({ is }) => is(names)) as Source // the last one takes all
  return { tensors: from.read(tensors), evident: from.evident?.(tensors) ?? {}, usual: from.usual ?? {} }
}

/** The tensors alone. */
export const readWeightsFile = (file: Uint8Array, source: string) => openWeightsFile(file, source).tensors

/** What an exported model says of itself in such a file, as JSON; null where it says nothing. Throws as `readWeightsFile`. */
export function descriptionIn(file: Uint8Array, source: string): string | null {
  if (isZip(file)) return textInNpz(file, DESCRIPTION_FILE)
  return readSafetensors(file, source).metadata[DESCRIPTION] ?? null
}

const isZip = (file: Uint8Array) => ZIP.every((byte, i) => file[i] === byte)
