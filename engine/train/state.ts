import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import type { Model } from '../nn/model.ts'
import { readSafetensors, writeSafetensors } from '../weights/safetensors.ts'
import type { MovingAverage } from './ema.ts'
import type { Optimizer } from './optimizers/index.ts'

/** All that changes while a model is trained. Data order and draws are functions of seed and step, and so not in it. */
export interface TrainingState {
  model: Model
  optimizer: Optimizer
  average: MovingAverage
}

/** How far training has come. */
export interface TrainProgress {
  /** Optimizer steps done. */
  step: number
  /** The best validation so far; null before the first. */
  best: { step: number; value: number } | null
}

/** Version of the file; raised whenever training cannot resume from the files of earlier versions. */
const FORMAT = 'mixlab training state 1'

const count = z.int().min(0)
const schema = z.strictObject({
  step: count,
  updates: count,
  best: z.strictObject({ step: count, value: z.number() }).nullable(),
})

/**
 * Everything that training needs to resume, as a safetensors file: weights with running statistics, what the optimizer
 * remembers, and the moving average, bit for bit and in the layout of memory.
 */
export async function writeState(trained: TrainingState, progress: TrainProgress): Promise<Uint8Array> {
  const tensors = [...variablesOf(trained)].map(async ([name, variable]) => {
    return { name, shape: variable.shape, values: (await variable.data()) as Float32Array | Int32Array }
  })
  const numbers: z.output<typeof schema> = { ...progress, updates: trained.optimizer.state().step }
  return writeSafetensors(await Promise.all(tensors), { format: FORMAT, progress: JSON.stringify(numbers) })
}

/**
 * Sets everything to what `file` holds; `hasBest` says whether the best weights of that time are there. Throws MixlabError
 * `weights`, with nothing changed, where it does not fit, or where they are needed and missing.
 */
export function restoreState(trained: TrainingState, file: Uint8Array, hasBest: boolean): TrainProgress {
  const { tensors, metadata } = readSafetensors(file, SOURCE)
  if (metadata.format !== FORMAT) throw new MixlabError('weights', SOURCE, `is not a ${FORMAT}`)
  const { updates, ...progress } = numbersOf(metadata.progress)
  if (progress.best && !hasBest) throw new MixlabError('weights', SOURCE, 'is without the best weights of its time')
  const variables = variablesOf(trained)
  const given = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  for (const [name, { shape }] of variables) {
    const found = given.get(name)?.shape
    if (!found || !tf.util.arraysEqual(found, shape)) {
      const what = `tensor '${name}' is ${found ? `[${found}]` : 'missing'}, not [${shape}]`
      throw new MixlabError('weights', SOURCE, what)
    }
  }
  if (given.size !== variables.size) throw new MixlabError('weights', SOURCE, 'has tensors that are not trained here')
  for (const [name, variable] of variables) {
    const values = given.get(name)?.values as Float32Array | Int32Array
    tf.tidy(() => variable.assign(tf.tensor(values, variable.shape, variable.dtype)))
  }
  trained.optimizer.state().step = updates
  return progress
}

const SOURCE = 'checkpoint'

/** Every variable that training changes, by its name in the file. */
function variablesOf({ model, optimizer, average }: TrainingState): Map<string, tf.Variable> {
  const named = (prefix: string, tensors: Record<string, tf.Variable>) =>
    Object.entries(tensors).map(([name, variable]): [string, tf.Variable] => [`${prefix}/${name}`, variable])
  const weights = Object.fromEntries(model.parameters.map(({ name, variable }) => [name, variable]))
  return new Map([
    ...named('model', weights),
    ...named('optimizer', optimizer.state().tensors),
    ...named('average', average.state()),
  ])
}

function numbersOf(text: string | undefined): z.output<typeof schema> {
  try {
    return schema.parse(JSON.parse(text ?? ''))
  } catch {
    throw new MixlabError('weights', SOURCE, 'does not say how far training had come')
  }
}
