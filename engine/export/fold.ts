import { MixlabError } from '../errors.ts'
import { resmlpFolded } from '../models/index.ts'
import type { Parameter, TokenGrid } from '../nn/scope.ts'
import type { SizeOfParts } from '../nn/size.ts'
import type { Block, Size } from '../nn/types.ts'
import type { RecordedSpec } from '../study/recreate/recorded.ts'
import { foldAffine } from '../weights/foldAffine.ts'
import { foldRepmlp } from '../weights/localityInjection.ts'
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
  affine: (_, size) => ({ block: resmlpFolded, size, tensors: foldAffine }),
  locality: (block, size) => ({
    block,
    size: withFolded(block, size),
    tensors: (trained, parameters) => {
      const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]))
      return foldRepmlp(trained, (name): TokenGrid => {
        const { tokenGrid, shape } = byName.get(name) as Parameter
        return tokenGrid ?? [1, shape.at(-1) as number]
      })
    },
  }),
}

/** The folded form of the model of a spec. Throws MixlabError `option` for a model that cannot be folded. */
export function foldedForm(spec: RecordedSpec, block: Block, size: Size, source: string): FoldedForm {
  const foldable = foldableOf(spec)
  if (foldable?.kind === 'affine' || (foldable && hasFolded(block))) return forms[foldable.kind](block, size)
  const what = `${source} is no ResMLP for images, nor made of RepMLP blocks that are not folded yet`
  throw new MixlabError('option', '--fold', what)
}

/** Whether a block, or a part of it, has the option of RepMLP that gives its form for inference. */
const hasFolded = ({ defaults, parts }: Block): boolean =>
  parts ? parts.list.some(({ block }) => hasFolded(block)) : 'folded' in defaults

/** The size with which all RepMLP blocks of a model have their form for inference. */
function withFolded(block: Block, size: Size): Size {
  const { parts } = size as SizeOfParts
  const list = block.parts?.list ?? []
  if (parts) return { ...size, parts: list.map(({ block }, i) => withFolded(block, parts[i] as Size)) } as SizeOfParts
  return hasFolded(block) ? ({ ...size, folded: true } as Size) : size
}
