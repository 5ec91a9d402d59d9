import * as tf from '@tensorflow/tfjs-core'
import { SPECIAL } from '../data/tokenizers/types.ts'
import type { NumberField } from '../data/types.ts'
import type { Mode, Model } from '../nn/model.ts'
import type { Batch, Preparation, Task } from './types.ts'

/** Token ids of a text, or of some of its tokens. */
export type Ids = Int32Array

/** One example as a text model reads it. */
export interface TextInput {
  /** [CLS] first [SEP], or [CLS] first [SEP] second [SEP]. */
  ids: number[]
  /** Tokens of the first segment, [CLS] and its [SEP] included. */
  first: number
}

/** One or two texts between special tokens (Devlin et al. 2019, figure 2). */
export function joined(first: Ids, second?: Ids): TextInput {
  const ids = [SPECIAL.first, ...first, SPECIAL.separator]
  return { ids: second ? [...ids, ...second, SPECIAL.separator] : ids, first: ids.length }
}

/** As `joined`, with at most `tokens` tokens: of two texts the longer one loses its end first. */
export function fitted(tokens: number, first: Ids, second?: Ids): TextInput {
  if (!second) return joined(first.subarray(0, tokens - 2))
  const room = tokens - 3
  const half = Math.floor(room / 2)
  // a text that needs less than half leaves the rest to the other; the first gets the odd token
  const ofFirst = Math.max(room - half, room - second.length)
  const ofSecond = Math.max(half, room - first.length)
  return joined(first.subarray(0, ofFirst), second.subarray(0, ofSecond))
}

/** Examples as tensors `[batch, tokens]`, padded at the end: token ids, segments, and a mask that is 0 at padding. */
export function textTensors(inputs: TextInput[], tokens: number): Batch & Record<'types' | 'mask', tf.Tensor> {
  const tensor = (dtype: 'int32' | 'float32', value: (input: TextInput, at: number) => number) => {
    const values = inputs.flatMap((input) => Array.from({ length: tokens }, (_, at) => value(input, at)))
    return tf.tensor2d(values, [inputs.length, tokens], dtype)
  }
  return {
    input: tensor('int32', ({ ids }, at) => ids[at] ?? SPECIAL.pad),
    types: tensor('int32', ({ ids, first }, at) => Number(at >= first && at < ids.length)),
    mask: tensor('float32', ({ ids }, at) => Number(at < ids.length)),
  }
}

/** What these tensors are of one example. */
export function textFields(tokens: number): Record<'input' | 'types' | 'mask', NumberField> {
  const ids = { shape: [tokens], dtype: 'int32' } as const
  return { input: ids, types: ids, mask: { shape: [tokens], dtype: 'float32' } }
}

/** What `predictText` gives to the model beside token ids. */
export function textExtras(tokens: number): NonNullable<Task['extras']> {
  return { types: { shape: [1, tokens], dtype: 'int32' }, mask: { shape: [1, tokens] } }
}

/** What the model says to texts, their segments and padding taken into account. */
export function predictText(model: Model, { input, types, mask }: Batch, mode: Mode): tf.Tensor {
  return model.apply(input, mode, { types: types as tf.Tensor, mask: mask as tf.Tensor })
}

/** How texts of a task become what `textTensors` makes. */
export function preparationOf(tokens: number, template: string, pool: 'first' | 'mean' | null): Preparation {
  const padding = { side: 'end', id: SPECIAL.pad, mask: 0 } as const
  return { kind: 'text', tokens, template, truncation: 'end', padding, pool }
}
