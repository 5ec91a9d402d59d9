import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { patchMerge } from './layers/patchMerge.ts'
import { flattened } from './layers/tokenGrid.ts'
import { scope } from './scope.ts'
import type { SizeOfParts } from './size.ts'
import type { Block, BlockStage, Merge, Place, Size } from './types.ts'

/** One block of a model, with its own size, and what merges the patches before it. */
export interface Layer {
  block: Block
  /** Its `depth` is that of the model. */
  size: Size
  merge: { by: Merge; stage: number } | null
}

/** The blocks of a model in order. */
export function layersOf(block: Block, size: Size): Layer[] {
  return layersIn(block, size).map((layer) => ({ ...layer, size: ofModel(layer.size, size) }))
}

/** The size of some blocks, with what all of a model have alike. */
function ofModel(own: Size, { depth, modality }: Size): Size {
  return { ...own, depth, ...(modality && { modality }) }
}

function layersIn(block: Block, size: Size): Layer[] {
  if (block.stages) return layersOfStages(block.stages(size), size)
  if (!block.parts) return Array.from({ length: size.depth }, () => ({ block, size, merge: null }))
  const { parts: sizes } = size as SizeOfParts
  const once = block.parts.list.flatMap(({ block, merge }, stage) =>
    layersIn(block, sizes[stage] as Size).map((layer, i) =>
      i === 0 && merge !== null ? { ...layer, merge: { by: merge, stage } } : layer,
    ),
  )
  return Array.from({ length: size.depth / once.length }, () => once).flat()
}

function layersOfStages(stages: readonly BlockStage[], size: Size): Layer[] {
  return stages.flatMap(({ block, depth = 0, dim = 0, merge }, stage) => {
    const own = { ...size, ...block.defaults, ...block.options, dim, ffn: Math.floor(dim * size.ffnRatio) }
    return Array.from({ length: depth }, (_, i): Layer => {
      return { block, size: own, merge: i === 0 && stage > 0 ? { by: merge, stage } : null }
    })
  })
}

/** The size that the stem gets: that of the first block. */
export function firstSize(block: Block, size: Size): Size {
  const first = block.parts?.list[0]?.block
  return first ? ofModel(firstSize(first, (size as SizeOfParts).parts[0] as Size), size) : size
}

/** What the blocks of a stage get: merged patches, with parameters below `name`. Throws MixlabError `option`. */
export function merged(
  x: Tensor,
  { by, stage }: { by: Merge; stage: number },
  size: Size & Place,
  name = `merges.${stage - 1}`,
): Tensor {
  const isOne = by === 1 || (Array.isArray(by) && by.every((side) => side === 1))
  if (isOne && x.shape.at(-1) === size.dim) return x
  if (typeof by !== 'function') return patchMerge(x, size.dim, { name, merge: by, eps: size.eps })
  return scope('merges', name, () => {
    const y = by(x, size)
    if ((y?.rank === 3 || y?.rank === 4) && y.shape.at(-1) === size.dim) return flattened(y)
    const returned = y?.shape ? `[${y.shape}]` : 'no tensor'
    const what = `its merge returned ${returned}, but its blocks take [batch, tokens, ${size.dim}]`
    throw new MixlabError('option', `stage ${stage}`, what)
  })
}
