import * as tf from '@tensorflow/tfjs-core'
import { SPECIAL, SPECIAL_TEXTS, type Tokenizer } from '../data/tokenizers/types.ts'
import { MixlabError } from '../errors.ts'
import { joined, type TextInput, textTensors } from '../tasks/textInput.ts'
import type { Preparation } from '../tasks/types.ts'
import type { ModelBatch } from './batched.ts'
import type { TrainedModel } from './trained.ts'

const MASK = SPECIAL_TEXTS[SPECIAL.mask]

/** A text with masked positions that the model predicts. */
export interface MaskedInput extends TextInput {
  /** Where `[MASK]` stands among the ids, in order. */
  places: number[]
  /** What stands before, between and after them. */
  texts: string[]
}

/**
 * A text in which `[MASK]` stands for tokens that the model predicts; without one, `[MASK]` is added at its end.
 * Throws MixlabError `data` where one of them is beyond what a model of `tokens` tokens reads; `source` names the model.
 */
export function maskedInput(text: string, tokenizer: Tokenizer, tokens: number, source: string): MaskedInput {
  const parts = text.includes(MASK) ? text.split(MASK) : [text, '']
  // of byte pairs a token begins with the space before it, so the one that is masked has it
  const own = parts.map((part, i) => (i < parts.length - 1 && spacesInFront(tokenizer) ? part.trimEnd() : part))
  const ids = own.flatMap((part, i) => [...(i > 0 ? [SPECIAL.mask] : []), ...tokenizer.encode(part).ids])
  const places = ids.flatMap((id, at) => (id === SPECIAL.mask ? [at + 1] : [])) // after [CLS]
  const input = joined(Int32Array.from(ids.slice(0, tokens - 2)))
  const last = places.at(-1) ?? 0
  if (last <= tokens - 2) return { ...input, places, texts: own }
  throw new MixlabError('data', source, `${MASK} is token ${last + 1}, it reads ${tokens - 1}; shorten the text`)
}

/** The same as a model of masked words reads it; the caller disposes the batch. Throws as `maskedInput`. */
export function maskedBatch(text: string, model: TrainedModel) {
  const tokenizer = model.tokenizer as Tokenizer
  const { tokens } = model.preparation as Extract<Preparation, { kind: 'text' }>
  const { places, texts, ...own } = maskedInput(text, tokenizer, tokens, model.source)
  const { types, ...read } = textTensors([own], tokens)
  types.dispose() // a language model has no segments
  const batch: ModelBatch = { ...read, positions: tf.tensor2d(places, [1, places.length], 'int32') }
  return { batch, places, texts, tokenizer }
}

const spacesInFront = (tokenizer: Tokenizer) => (JSON.parse(tokenizer.save()) as { kind: string }).kind === 'bytePairs'
