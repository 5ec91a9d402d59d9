import { modelTensors } from '../cost/trace.ts'
import { readTokenizer } from '../data/tokenizers/index.ts'
import { MixlabError, messageOf, quoted } from '../errors.ts'
import { foldedForm } from '../export/fold.ts'
import { contentsOfModel } from '../export/formats/contents.ts'
import { isConstantName } from '../export/graph/types.ts'
import { type ReadDescription, readDescription } from '../export/readDescription.ts'
import { assemble } from '../nn/frame.ts'
import { createModel, type Forward, type InputSpec } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import type { Block, Size } from '../nn/types.ts'
import type { Modules } from '../notebook/modules.ts'
import { codeDigest } from '../study/design/codeDigest.ts'
import { builtInBlock, recordedSize } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import { taskKind } from '../tasks/index.ts'
import type { OneOrMore } from '../weights/files/contents.ts'
import { type WeightsOfFile, withOurNames } from '../weights/files/index.ts'
import { leftText, withLeft } from '../weights/files/left.ts'
import { readConfiguration } from '../weights/foreign/config.ts'
import { type Facts, NOTHING } from '../weights/foreign/facts.ts'
import { isUsed, recognise } from '../weights/foreign/recognise.ts'
import { loadTensors } from '../weights/model.ts'
import type { NamedTensor } from '../weights/safetensors.ts'
import { withDiagonals } from '../weights/toeplitz.ts'
import { blockIn, type FoundBlock } from './block.ts'
import { answeredTask, type TrainedModel, withFacts } from './trained.ts'

/** What an exported model says of itself; null for a file from elsewhere. Throws MixlabError `weights`. */
export function descriptionOf(file: OneOrMore, source: string): ReadDescription | null {
  const { description } = contentsOfModel(file, source)
  return description === null ? null : readDescription(description, source)
}

/** What is known of a foreign file beside its tensors: options of the user, and configurations in its folder, as JSON. */
export interface SidecarInfo {
  facts?: Facts
  prefix?: string | undefined
  config?: string | null
  preprocessing?: string | null
}

/**
 * The model of a file on the current backend: as its description says or, without one, as its tensors and what lies beside
 * them are those of a published model of pictures. A block that is not built in is code in the file, which is evaluated, and
 * may import `modules`: the caller has asked the user. Throws MixlabError `weights` where the tensors are not those
 * of the model, or do not say enough of it, `option` for a configuration that cannot be read, and what the code throws.
 */
export async function modelOfFile(
  file: OneOrMore,
  source: string,
  modules: Modules,
  beside: SidecarInfo = {},
): Promise<TrainedModel> {
  const found = withOurNames(contentsOfModel(file, source), source, beside.prefix)
  const { description, left } = found
  try {
    if (description === null) return published(found, beside, source)
    const model = await described(found.tensors, readDescription(description, source), source, modules)
    try {
      return withFacts({ ...model, notes: [...left, ...model.notes] }, beside.facts ?? {})
    } catch (error) {
      model.dispose()
      throw error
    }
  } catch (error) {
    throw withLeft(error, left)
  }
}

async function described(
  tensors: NamedTensor[],
  about: ReadDescription,
  source: string,
  modules: Modules,
): Promise<TrainedModel> {
  const { model: recorded, task: recordedTask, train } = recordedSpec(about.spec, source)
  const tokenizer = about.tokenizer === null ? null : readTokenizer(JSON.stringify(about.tokenizer))
  const { preparation, shape, dtype } = about.input
  const ends = {
    classes: about.classes?.length,
    vocabulary: tokenizer?.size,
    pool: (preparation.kind === 'text' && preparation.pool) || undefined,
    input: shape.slice(1).map(Number),
    horizon: preparation.kind === 'series' ? preparation.horizon : undefined,
  }
  const task = answeredTask({ ...recordedTask, task: about.task }, preparation, source)
  const kind = taskKind(task.task)
  const input: InputSpec = { shape: [1, ...shape.slice(1).map(Number)], dtype }
  const batch = Number(train.batch) / Number(train.accumulate ?? 1)
  const forwardOf = (block: Block) => kind.model(ends)(block, recordedSize(block, recorded))
  const { block, forget } = await foundBlock(about, source, modules, (block) =>
    codeDigest(forwardOf(block), { input, extras: kind.extras?.(task.options), batch }),
  )
  try {
    const trained = { block, size: recordedSize(block, recorded) }
    const form = about.changed.folded
      ? foldedForm(recordedSpec(about.spec, source), block, trained.size, source)
      : trained
    const { size } = form
    const forward = kind.model(ends)(form.block, size)
    await checkShapes(forward, input, size, tensors, about, source)
    const { model, left: notes } = filled(forward, input, tensors, source)
    const dispose = () => {
      model.dispose()
      forget()
    }
    return { source, model, task, preparation, classes: about.classes, tokenizer, notes, dispose }
  } catch (error) {
    forget()
    throw error
  }
}

/** Blocks that a model may have without a tensor of their own. */
const MAX_BARE = 100

/**
 * Throws MixlabError `weights` where a description asks for more than is in the file, before anything of that size is
 * made. Code of cells that does not run on shapes alone was trusted.
 */
async function checkShapes(
  forward: Forward,
  input: InputSpec,
  { depth }: Size,
  tensors: NamedTensor[],
  about: ReadDescription,
  source: string,
): Promise<void> {
  const fail = (what: string) => new MixlabError('weights', source, `its description is of ${what}`)
  if (depth > tensors.length + MAX_BARE) throw fail(`${depth} blocks, there are ${tensors.length} tensors`)
  const wanted = await modelTensors(forward, input).catch((error) => {
    if (about.source !== null) return []
    throw fail(`a model that cannot be made: ${messageOf(error)}`)
  })
  const count = (shapes: readonly { shape: number[] }[]) =>
    shapes.reduce((sum, { shape }) => sum + shape.reduce((all, length) => all * length, 1), 0)
  const [own, there] = [count(wanted), count(tensors)]
  if (own > there) throw fail(`a model of ${own} values, there are ${there}`)
}

async function foundBlock(
  about: ReadDescription,
  source: string,
  modules: Modules,
  does: (block: Block) => Promise<string | null>,
): Promise<FoundBlock> {
  const { model } = recordedSpec(about.spec, source)
  if (about.source !== null) return blockIn(about.source, model, modules, source, does)
  return { block: builtInBlock(model), forget: () => {} }
}

/** A published model of pictures. */
function published(
  { tensors, evident, usual, left }: WeightsOfFile,
  beside: SidecarInfo,
  source: string,
): TrainedModel {
  const { facts: given = {}, config: json = null, preprocessing = null } = beside
  const config = json === null ? NOTHING : readConfiguration(json, preprocessing, `${source}: its config.json`, given)
  const found = recognise(tensors, source, { given, config, evident, usual })
  const { block, input, classes, mean, deviation, crop, squash, labels, notes } = found
  const [height, width, channels] = input
  const forward = assemble(block, resolveSize(block, {}, source), 'image', { outputs: classes })
  const idle = found.tensors.filter((tensor) => !isUsed(tensor)).map(({ name }) => name)
  const { model, left: others } = filled(forward, { shape: [1, ...input] }, found.tensors.filter(isUsed), source)
  return {
    source,
    model,
    task: { task: 'image', options: {} },
    preparation: {
      kind: 'image',
      ...{ size: [height, width], channels, layout: 'batch, height, width, channels' },
      ...{ mean, deviation, crop, squash },
    },
    classes: Array.from({ length: classes }, (_, i) => labels?.[i] || `class ${i}`),
    tokenizer: null,
    notes: [...left, ...others, ...leftText(idle, 'as not used for an answer'), ...notes],
    dispose: model.dispose,
  }
}

/** A model with the tensors of a file, and those outside of its prefix that it does not have, in words. */
function filled(forward: Forward, input: InputSpec, tensors: NamedTensor[], source: string) {
  const model = createModel(forward, input, 0)
  const own = new Set(model.parameters.map(({ name }) => name))
  const given = withDiagonals(tensors, own)
  try {
    const isLeft = ({ name, outside }: NamedTensor) => !own.has(name) && (outside === true || isConstantName(name))
    const wanted = given.filter((tensor) => !isLeft(tensor))
    const [first, ...more] = wanted.filter(({ name }) => !own.has(name))
    if (first) {
      const others = more.length > 0 ? ` and ${more.length} more tensors` : ''
      throw new MixlabError('weights', source, `has ${quoted(first.name)}${others}, which its model does not have here`)
    }
    loadTensors(model.parameters, wanted, source)
    const left = given.filter((tensor) => isLeft(tensor) && tensor.outside).map(({ name }) => name)
    return { model, left: leftText(left, 'as outside of the model') }
  } catch (error) {
    model.dispose()
    throw error
  }
}
