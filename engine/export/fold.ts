import { MixlabError } from '../errors.ts'
import { resmlpFolded } from '../models/index.ts'
import type { Parameter, TokenGrid } from '../nn/scope.ts'
import type { SizeOfParts } from '../nn/size.ts'
import type { Block, Size } from '../nn/types.ts'
import type { RecordedSpec } from '../study/recreate/recorded.ts'
import { foldAffine } from '../weights/foldAffine.ts'
import { foldLocality, foldRepmlp } from '../weights/localityInjection.ts'
import type { NamedTensor } from '../weights/safetensors.ts'
import { type Foldable, foldableOf } from './foldable.ts'

/** A model that does the same in inference, and how it gets its tensors from those that were trained. */
interface FoldedForm {
  block: Block
  size: Size
  /** `parameters` are those of the model as it was trained. */
  tensors(trained: NamedTensor[], parameters: readonly Parameter[]): NamedTensor[]
}

const forms: Record<Foldable['kind'], (block: Block, size: Size) => FoldedForm> = {
  affine: (_, size) => ({
    block: resmlpFolded,
    size,
    tensors: (trained, parameters) => foldAffine(foldLocality(trained, gridsOf(parameters))),
  }),
  locality: (block, size) => ({
    block,
    size: withFolded(block, size),
    tensors: (trained, parameters) => {
      const gridOf = gridsOf(parameters)
      const merged = foldLocality(trained, gridOf)
      return hasOption(block, 'folded') ? foldRepmlp(merged, gridOf) : merged
    },
  }),
}

/** How the inputs of a matrix lie, by its name; in one row where they are no grid. */
function gridsOf(parameters: readonly Parameter[]): (matrix: string) => TokenGrid {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  return (matrix) => {
    const { tokenGrid, shape } = byName.get(matrix) as Parameter
    return tokenGrid ?? [1, shape.at(-1) as number]
  }
}

/** The folded form of the model of a spec. Throws MixlabError `option` for a model that cannot be folded. */
export function foldedForm(spec: RecordedSpec, block: Block, size: Size, source: string): FoldedForm {
  const foldable = foldableOf(spec)
  const can = foldable?.kind === 'affine' || hasOption(block, 'folded') || hasOption(block, 'locality')
  if (foldable && can) return forms[foldable.kind](block, size)
  const what = 'is no ResMLP for images, has no RepMLP blocks that are not folded yet, and no option locality'
  throw new MixlabError('option', '--fold', `${source} ${what}`)
}

/** Whether a block, or a part of it, has the option `folded` of RepMLP, or `locality`. */
const hasOption = ({ defaults, parts }: Block, option: 'folded' | 'locality'): boolean =>
  parts ? parts.list.some(({ block }) => hasOption(block, option)) : option in defaults

/** The size with which all blocks of a model have their form for inference. */
function withFolded(block: Block, size: Size): Size {
  const { parts } = size as SizeOfParts
  const list = block.parts?.list ?? []
  if (parts) return { ...size, parts: list.map(({ block }, i) => withFolded(block, parts[i] as Size)) } as SizeOfParts
  const own = { ...(hasOption(block, 'folded') && { folded: true }), locality: undefined }
  return { ...size, ...own } as Size
}
