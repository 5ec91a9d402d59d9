import { modelTensors } from '../cost/trace.ts'
import { readTokenizer } from '../data/tokenizers/index.ts'
import { MixlabError, messageOf } from '../errors.ts'
import { isConstantName } from '../export/graph/types.ts'
import { type ReadDescription, readDescription } from '../export/readDescription.ts'
import { resmlpFolded } from '../models/index.ts'
import { assemble } from '../nn/frame.ts'
import { createModel, type Forward, type InputSpec, type Model } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import type { Size } from '../nn/types.ts'
import type { Modules } from '../notebook/modules.ts'
import { builtInBlock, recordedSize } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import { taskKind } from '../tasks/index.ts'
import { descriptionIn, readWeightsFile } from '../weights/files/index.ts'
import { recognise } from '../weights/files/recognise.ts'
import { loadTensors } from '../weights/model.ts'
import type { NamedTensor } from '../weights/safetensors.ts'
import { withDiagonals } from '../weights/toeplitz.ts'
import { blockIn, type FoundBlock } from './block.ts'
import type { TrainedModel } from './trained.ts'

/** What an exported model says of itself; null for a file from elsewhere. Throws MixlabError `weights`. */
export function descriptionOf(file: Uint8Array, source: string): ReadDescription | null {
  const json = descriptionIn(file, source)
  return json === null ? null : readDescription(json, source)
}

/**
 * The model of a file on the current backend: as its description says or, without one, as its tensors are those of a
 * published model of pictures. A block that is not built in is code in the file, which is evaluated, and may import
 * `modules`: whoever calls this has asked the user. Throws MixlabError `weights` where the tensors are not those of the
 * model, and what the code throws.
 */
export async function modelOfFile(file: Uint8Array, source: string, modules: Modules): Promise<TrainedModel> {
  const tensors = readWeightsFile(file, source)
  const about = descriptionOf(file, source)
  return about ? described(tensors, about, source, modules) : published(tensors, source)
}

async function described(
  tensors: NamedTensor[],
  about: ReadDescription,
  source: string,
  modules: Modules,
): Promise<TrainedModel> {
  const { model: recorded, task } = recordedSpec(about.spec, source)
  const tokenizer = about.tokenizer === null ? null : readTokenizer(JSON.stringify(about.tokenizer))
  const { preparation, shape, dtype } = about.input
  const { block, forget } = await foundBlock(about, source, modules)
  const ends = {
    classes: about.classes?.length,
    vocabulary: tokenizer?.size,
    pool: (preparation.kind === 'text' && preparation.pool) || undefined,
  }
  try {
    const size = recordedSize(block, recorded)
    const forward = taskKind(about.task).model(ends)(block, size)
    const input: InputSpec = { shape: [1, ...shape.slice(1).map(Number)], dtype }
    await checkShapes(forward, input, size, tensors, about, source)
    const model = filled(forward, input, tensors, source)
    const dispose = () => {
      model.dispose()
      forget()
    }
    return { source, model, task, preparation, classes: about.classes, tokenizer, dispose }
  } catch (error) {
    forget()
    throw error
  }
}

/** Blocks that a model may have without a tensor of their own. */
const MOST_BARE = 100

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
  if (depth > tensors.length + MOST_BARE) throw fail(`${depth} blocks, there are ${tensors.length} tensors`)
  const wanted = await modelTensors(forward, input).catch((error) => {
    if (about.source !== null) return []
    throw fail(`a model that cannot be made: ${messageOf(error)}`)
  })
  const count = (shapes: readonly { shape: number[] }[]) =>
    shapes.reduce((sum, { shape }) => sum + shape.reduce((all, length) => all * length, 1), 0)
  const [own, there] = [count(wanted), count(tensors)]
  if (own > there) throw fail(`a model of ${own} values, there are ${there}`)
}

async function foundBlock(about: ReadDescription, source: string, modules: Modules): Promise<FoundBlock> {
  const { model } = recordedSpec(about.spec, source)
  if (about.source !== null) return blockIn(about.source, model, modules, source)
  return { block: about.changed.folded ? resmlpFolded : builtInBlock(model), forget: () => {} }
}

/** A published model of pictures, whose classes have no names. */
function published(tensors: NamedTensor[], source: string): TrainedModel {
  const { block, input, classes, mean, deviation } = recognise(tensors, source)
  const [height, width, channels] = input
  const forward = assemble(block, resolveSize(block, {}, source), 'image', { outputs: classes })
  const model = filled(forward, { shape: [1, ...input] }, tensors, source, true)
  return {
    source,
    model,
    task: { task: 'image', options: {} },
    preparation: {
      kind: 'image',
      ...{ size: [height, width], channels, layout: 'batch, height, width, channels' },
      ...{ mean: [...mean], deviation: [...deviation] },
    },
    classes: Array.from({ length: classes }, (_, i) => `class ${i}`),
    tokenizer: null,
    dispose: model.dispose,
  }
}

/** A model with the tensors of a file, of which there may be more with `some`. */
function filled(forward: Forward, input: InputSpec, tensors: NamedTensor[], source: string, some = false): Model {
  const model = createModel(forward, input, 0)
  const own = new Set(model.parameters.map(({ name }) => name))
  const given = withDiagonals(tensors, own)
  try {
    const wanted = given.filter(({ name }) => own.has(name) || !(some || isConstantName(name)))
    loadTensors(model.parameters, wanted, source)
    return model
  } catch (error) {
    model.dispose()
    throw error
  }
}
