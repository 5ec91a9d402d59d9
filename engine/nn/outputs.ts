import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { assemble } from './frame.ts'
import { dense } from './layers/dense.ts'
import { layerNorm } from './layers/layerNorm.ts'
import { tokenDense } from './layers/tokenDense.ts'
import { tokenGridOf } from './layers/tokenGrid.ts'
import type { Forward } from './model.ts'
import { scope } from './scope.ts'
import type { Block, Modality, OutputHead, Size } from './types.ts'

/** What a model reads of an example, and what it says to it. */
export interface Outputs {
  /** Shape of an example: `[height, width, channels]`, `[tokens, width]`, or of ids `[tokens]`. */
  input: readonly number[]
  /** How many different ids there are; undefined where it reads no ids. */
  vocabulary?: number | undefined
  /** Shape of the prediction for an example. */
  outputs: readonly number[]
  /** What ends the model instead of what follows from these shapes. */
  head?: OutputHead | undefined
}

/**
 * The models of a task by what goes in and what comes out. `[]` and `[n]` come from the usual head; `[height, width, n]` of
 * an image from each token for the pixels of its patch; `[tokens, n]` from each token; `[m, n]` of another m from a matrix
 * over tokens, then one over channels. Throws MixlabError `option` for other shapes, unless there is a `head`; `task` is
 * what errors call it.
 */
export function modelWith(wanted: Outputs, task: string): (block: Block, size: Size) => Forward {
  const { vocabulary, outputs } = wanted
  const modality = modalityOf(wanted, task)
  const ends = {
    ...(vocabulary !== undefined && { inputs: vocabulary }),
    outputs: outputs.at(-1) ?? 1,
    head: wanted.head ?? headFor(wanted, modality, task),
    pool: 'mean' as const,
    shape: outputs,
  }
  return (block, size) => assemble(block, size, modality, ends)
}

function modalityOf({ input, vocabulary }: Outputs, task: string): Modality {
  if (vocabulary !== undefined && input.length === 1) return 'text'
  if (vocabulary === undefined && input.length === 3) return 'image'
  if (vocabulary === undefined && input.length === 2) return 'features'
  const given = `an input of ${vocabulary === undefined ? 'numbers' : 'ids'} [${input}]`
  const allowed = 'images [height, width, channels], features [tokens, width], or ids [tokens]'
  throw new MixlabError('option', task, `has ${given}, and models read ${allowed}`)
}

/** The head that shapes ask for; the name of a usual one. */
function headFor({ input, outputs }: Outputs, modality: Modality, task: string): OutputHead | 'tokens' | 'class' {
  if (outputs.length < 2) return modality === 'text' ? 'class' : 'tokens'
  const [places, n] = [outputs.slice(0, -1), outputs.at(-1) as number]
  if (modality === 'image' && places.join() === input.slice(0, 2).join())
    return pixelHead(places as [number, number], n, task)
  if (modality !== 'image' && places.length === 1)
    return places[0] === input[0] ? tokenHead(n) : placesHead(places[0] as number, n)
  const how = `there is no usual head from [${input}] to outputs [${outputs}]; give one, head: (x, size, n) => prediction`
  throw new MixlabError('option', task, how)
}

const normalised = (x: tf.Tensor, { eps }: Size) => layerNorm(x, { name: 'norm', eps })

/** `[batch, tokens, dim]` to `[batch, tokens, n]`. */
function tokenHead(n: number): OutputHead {
  return (x, size) => dense(normalised(x, size), n, { name: 'head' })
}

/** `[batch, tokens, dim]` to `[batch, places, n]`. */
export function placesHead(places: number, n: number): OutputHead {
  return (x, size) =>
    scope('head', 'head', () =>
      dense(tokenDense(normalised(x, size), { name: 'tokens', tokens: places }), n, { name: 'channels' }),
    )
}

/** Tokens in a grid, `[batch, tokens, dim]`, to `[batch, height, width, n]`. */
function pixelHead([height, width]: [number, number], n: number, task: string): OutputHead {
  return (x, size) => {
    const [batch, tokens] = x.shape as [number, number]
    const [rows, columns] = tokenGridOf(tokens) ?? [0, 0]
    const [high, wide] = [height / rows, width / columns]
    if (!Number.isInteger(high) || !Number.isInteger(wide)) {
      const what = `${tokens} tokens at the end of its model are no grid over ${height} x ${width} pixels`
      throw new MixlabError('option', task, what)
    }
    const y = dense(normalised(x, size), high * wide * n, { name: 'head' })
    const patches = tf.reshape(y, [batch, rows, columns, high, wide, n])
    return tf.reshape(tf.transpose(patches, [0, 1, 3, 2, 4, 5]), [batch, height, width, n])
  }
}
