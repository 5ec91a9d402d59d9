import { MixlabError } from '../../errors.ts'
import { rowMajor, strided } from '../../nn/layout.ts'
import type { Block } from '../../nn/types.ts'
import { namesText } from '../files/left.ts'
import type { NamedTensor } from '../safetensors.ts'
import { type Configuration, type Facts, NOTHING, over } from './facts.ts'
import { families, type ResolvedFacts, type Shapes } from './families.ts'
import { publishedHeads } from './published.ts'
import { assumptions, channelwise, checkSizes, labelsOf, missing, sizeOf } from './resolveFacts.ts'

/** A model of images that the tensors of a file are of. */
export interface Recognised {
  /** With all its sizes. */
  block: Block
  /** Those of the file that the model has; of the stem for channels in the order red, green, blue. */
  tensors: NamedTensor[]
  /** Height, width and channels of a picture. */
  input: [height: number, width: number, channels: number]
  classes: number
  /** Names of the classes; null where nothing says them. */
  labels: readonly string[] | null
  /** By channel, of values from 0 to 1. */
  mean: number[]
  deviation: number[]
  crop: number | undefined
  squash: boolean | undefined
  /** What nothing says and was taken as usual, and what is done otherwise. */
  notes: string[]
}

/** What is known of a file beside its tensors. */
export interface Known {
  /** By who asks. */
  given?: Facts
  /** By its configuration. */
  config?: Configuration
  /** By the shapes that its tensors had, in layouts that say more. */
  evident?: Facts
  /** As the code has it that names tensors so. */
  usual?: Facts
}

/** Tensors that do nothing when a model is asked. */
const IDLE = /(^|\.)(position_ids|num_batches_tracked|mask_token)$|^pooler\./

/**
 * The model that the tensors of a file are of, by their names and shapes and by what else is known. Throws MixlabError
 * `weights` where it is none that is known, where its configuration is of another model, and where nothing says how many
 * heads it has or how its pictures are normalised; `source` names the file.
 */
export function recognise(tensors: readonly NamedTensor[], source: string, known: Known = {}): Recognised {
  const { given = {}, config = NOTHING, evident = {}, usual = {} } = known
  const fail = (what: string) => new MixlabError('weights', source, what)
  const shapes = shapesOf(tensors, fail)
  const family = families.find(({ mark }) => shapes.has(mark))
  if (!family && tensors.some(({ name }) => name.startsWith('bert.encoder.')))
    throw fail('is a BERT, whose tokenizer is not in the file; a study can start from it: weights({ path })')
  if (!family) throw fail('its tensors are not those of a gMLP, Mixer, ResMLP, RepMLPNet or ViT of pictures')
  if (!shapes.has('head.weight')) {
    const study = 'a study that starts from it, from: weights({ path }), trains one'
    const width = shapes.length(family.stem, 0)
    const like = tensors.filter(
      ({ name, shape }) => !/^blocks\./.test(name) && shape.length === 2 && shape[1] === width,
    )
    const names = namesText(like.map(({ name }) => name))
    if (like.length > 0) throw fail(`has no 'head.weight'; if its head is ${names}, rename it; ${study}`)
    throw fail(`has no head: it gives features and names no classes; ${study}`)
  }
  const length = (axis: number) => shapes.length(family.stem, axis)
  const [dim, channels] = [length(0), length(1)]
  const patch: [number, number] = [length(2), length(3)]
  if (channels !== 1 && channels !== 3) throw fail(`its pictures have ${channels} channels, expected 1 or 3`)
  const depth = new Set(tensors.flatMap(({ name }) => /^blocks\.(\d+)\./.exec(name)?.[1] ?? [])).size // none is missing
  const common = { patch, dim, depth }
  const classes = shapes.length('head.weight', 0)
  checkSizes({ ...common, channels, ffn: shapes.length(family.hidden, 0) }, config.sizes, fail)

  const published = family.hasHeads ? publishedHeads(config.architecture, dim) : undefined
  const said = over(given, over(config.facts, { ...evident, heads: evident.heads ?? published }))
  if (evident.heads !== undefined && said.heads !== evident.heads)
    throw fail(`its attention has ${evident.heads} heads, not ${said.heads}`)
  if (family.hasHeads && said.heads !== undefined && dim % said.heads !== 0)
    throw fail(`its width ${dim} is not divided by ${said.heads} heads`)
  const size = sizeOf(family.patches(shapes), patch, said.size, fail)
  const asked = missing(said, family.hasHeads ? dim : null)
  if (asked.length > 0) throw fail(`nothing says ${asked.join(', nor ')}; say it, or lay its config.json beside it`)
  const defaults = family.usual(shapes)
  const assumed = (Object.keys(defaults) as (keyof Facts)[]).filter((name) => said[name] === undefined)
  const facts: Facts = { ...over(said, over(usual, defaults)), size }
  if (family.hasHeads && !shapes.has('cls_token') && facts.pool === 'token') throw fail('has no class token to pool')
  const labels = labelsOf(given.labels, config.facts.labels, classes, fail)
  const { mean, deviation } = channelwise(facts, channels)
  return {
    block: family.block(common, shapes, facts as ResolvedFacts), // by `missing` and `usual`
    tensors: tensors.map((each) => (facts.bgr === true && each.name === family.stem ? reversed(each) : each)),
    input: [...size, channels],
    classes,
    ...{ mean, deviation, crop: facts.crop, squash: facts.squash, labels: labels.names },
    notes: [
      ...assumptions(assumed, facts),
      ...(said.size === undefined ? [`pictures taken as square, ${size.join(' x ')} (--size)`] : []),
      ...config.notes,
      ...labels.notes,
    ],
  }
}

/** Whether a tensor of a file does something when its model is asked. */
export const isUsed = ({ name }: NamedTensor) => !IDLE.test(name)

function shapesOf(tensors: readonly NamedTensor[], fail: (what: string) => MixlabError): Shapes {
  const shapes = new Map(tensors.map(({ name, shape }) => [name, shape]))
  return {
    has: (name) => shapes.has(name),
    length: (name, axis) => {
      const found = shapes.get(name)?.at(axis)
      if (!found) throw fail(`has no '${name}' with ${axis < 0 ? -axis : axis + 1} axes`)
      return found
    },
  }
}

/** A kernel `[out, in, height, width]` with its inputs in reverse order. */
function reversed({ name, shape, values }: NamedTensor): NamedTensor {
  const [outer = 0, inner = 0, ...sides] = rowMajor(shape)
  return { name, shape, values: strided(values, shape, [outer, -inner, ...sides], outer - inner) }
}
