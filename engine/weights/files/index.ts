import { MixlabError } from '../../errors.ts'
import type { Facts } from '../foreign/facts.ts'
import type { Contents } from '../safetensors.ts'
import { contentsOf, type OneOrMore } from './contents.ts'
import { withoutPrefix } from './prefix.ts'
import { type Source, sources } from './sources.ts'

/** A file of weights, whichever of sources.ts it is from. */
export interface WeightsOfFile extends Contents {
  /** What its layouts said, and what the code of its source has where nothing says otherwise. */
  evident: Facts
  usual: Facts
}

/**
 * Reads a file of weights, or one that is in several. Of several models in it, whose names begin otherwise, that behind
 * `prefix`. Throws MixlabError `weights`; `source` names the file.
 */
export function openWeightsFile(file: OneOrMore, source: string, prefix?: string): WeightsOfFile {
  return withOurNames(contentsOf(file, source), source, prefix)
}

/** The tensors of a file with our names and layouts. Throws as `openWeightsFile`. */
export function withOurNames(contents: Contents, source: string, prefix?: string): WeightsOfFile {
  if (contents.tensors.length === 0) {
    throw new MixlabError('weights', source, ['has no tensors', ...contents.left].join('; '))
  }
  const { tensors, left } = withoutPrefix(contents.tensors, prefix, source, contents.front)
  const names = tensors.map(({ name }) => name)
  const from = sources.find(({ is }) => is(names)) as Source // the last one takes all
  const all = { description: contents.description, left: [...contents.left, ...left] }
  return { ...all, tensors: from.read(tensors), evident: from.evident?.(tensors) ?? {}, usual: from.usual ?? {} }
}
