import type * as tf from '@tensorflow/tfjs-core'
import { recordableCode } from '../../compile/model.ts'
import { recordGraph } from '../../compile/record.ts'
import { digest, digestOfValues } from '../../data/digest.ts'
import type { DataSpec } from '../../data/types.ts'
import type { TextExtras } from '../../nn/model.ts'
import type { Arm } from '../../records/design.ts'
import type { TaskSpec } from '../../tasks/types.ts'
import { EVALUATION_BATCH } from '../../train/evaluate.ts'
import { type Given, recordedModel, specs } from '../design/codeDigest.ts'
import { keyOfSpec } from '../key.ts'
import type { OpenVariant } from '../opened.ts'

/**
 * What a variant is in the ledger of comparisons: its network by the recorded graph of an evaluation, in which parameters
 * have numbers and no names; where that cannot be recorded, by `model`, the options of the model as they are kept. Names,
 * steps, learning rates, seeds and the seed and shares of the data are no part of it.
 */
export async function armOf(
  { block, size, task, opened }: Pick<OpenVariant, 'block' | 'size' | 'task' | 'opened'>,
  model: object,
): Promise<Arm> {
  const { input, extras } = opened
  const graph = await graphOf(opened.model(block, size), { input, extras, batch: EVALUATION_BATCH }).catch(() => null)
  return { network: graph ?? keyOfSpec(model), on: keyOfSpec([...dataIn(task), input.shape]) }
}

async function graphOf(forward: Parameters<typeof recordedModel>[0], given: Given): Promise<string> {
  const { model } = await recordedModel(forward, given.input)
  const all = { input: given.input, ...given.extras }
  const code = recordableCode(model, false, ({ input, ...extras }, { mode }) => ({
    prediction: model.apply(input as tf.Tensor, mode, extras as TextExtras),
  }))
  const { operations, constants, outputs } = await recordGraph(specs(all, EVALUATION_BATCH, model), code)
  const shapes = model.parameters.map(({ shape, trained }) => [shape, trained])
  const values = constants.map(({ use, values }) => [use, digestOfValues(values)])
  return digest(JSON.stringify([shapes, operations, values, outputs.prediction]))
}

/** Options of data that choose examples, and not what they are. */
const CHOOSING = ['seed', 'validation', 'train', 'test']

/** The task and the data of a variant, without what chooses examples; a text under `train` is the name of a file. */
function dataIn({ task, base, defined, options }: TaskSpec): unknown[] {
  const { data, ...own } = options as { data?: DataSpec | string }
  if (typeof data !== 'object') return [defined?.base ?? base ?? task, own, data]
  const kept = Object.entries(data.options).filter(
    ([name, value]) => !CHOOSING.includes(name) || (typeof value === 'string' && name !== 'seed'),
  )
  return [defined?.base ?? base ?? task, own, data.dataset, Object.fromEntries(kept)]
}
