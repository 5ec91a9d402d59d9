import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { SPECIAL_TEXTS, type Tokenizer } from '../data/tokenizers/types.ts'
import { MixlabError } from '../errors.ts'
import { softmax } from '../evaluate/softmax.ts'
import { parseOptions } from '../options.ts'
import { type Key, keyOf, uniform } from '../random.ts'
import { shifted } from '../tasks/clm.ts'
import { checkFinite } from './finite.ts'
import type { TrainedModel } from './trained.ts'

/** How a text is generated. */
export interface GenerateOptions {
  /** What it begins with; nothing by default. */
  prompt?: string | undefined
  /** Logits are divided by it before they become probabilities; 0 takes the likeliest token each time, 1 is the default. */
  temperature?: number | undefined
  /** Each token is one of so many likeliest (top-k, Fan et al. 2018); of all by default. */
  topK?: number | undefined
  /** Then one of the fewest whose probabilities reach this sum (nucleus sampling, Holtzman et al. 2020); 1, all, by default. */
  topP?: number | undefined
  /** Most tokens that are added; 64 by default. */
  tokens?: number | undefined
  /** It ends before the first of these texts. */
  stop?: string[] | undefined
  /** Another seed is another draw. */
  seed?: number | undefined
}

/** A text that a model has written. */
export interface Generated {
  prompt: string
  /** What comes after the prompt, as the tokenizer joins its tokens. */
  text: string
  /** How many tokens were added. */
  tokens: number
  /** Whether it ended at a text to stop at. */
  stopped: boolean
}

const schema = z.strictObject({
  prompt: z.string().default(''),
  temperature: z.number().min(0).max(100).default(1),
  topK: z.int().min(1).optional(),
  topP: z.number().positive().max(1).default(1),
  tokens: z.int().min(1).max(100_000).default(64),
  stop: z.array(z.string().min(1)).default([]),
  seed: z.int().min(0).default(0),
})

/** Whether a model writes texts: it has learned `clm`. */
export const isGenerative = ({ task }: Pick<TrainedModel, 'task'>) => task.task === 'clm'

/**
 * Writes a text with a causal language model, token after token, each drawn of the probabilities that the model gives it
 * after the last tokens that it can read. Special tokens are never drawn. `pause` is awaited after each token and may throw.
 * Throws MixlabError `option` for a model of another task, and `numerics` where its output is not a number.
 */
export async function generate(
  model: TrainedModel,
  given: GenerateOptions,
  pause: () => Promise<void> = async () => {},
): Promise<Generated> {
  if (!isGenerative(model)) {
    const what = `is of task ${model.task.task}, expected a causal language model, task clm`
    throw new MixlabError('option', model.source, what)
  }
  const { prompt, tokens, stop, seed, ...how } = parseOptions(schema, given, 'generate')
  const tokenizer = model.tokenizer as Tokenizer
  const before = Array.from(tokenizer.encode(prompt).ids)
  const key = keyOf(seed, 'generate')
  const added: number[] = []
  let text = ''
  while (added.length < tokens) {
    const logits = await nextLogits(model, [...before, ...added])
    added.push(drawn(logits, how, key, added.length))
    text = textAfter(prompt, tokenizer, before, added)
    const end = Math.min(...stop.map((each) => text.indexOf(each)).filter((at) => at >= 0))
    if (end < text.length) return { prompt, text: text.slice(0, end), tokens: added.length, stopped: true }
    await pause()
  }
  return { prompt, text, tokens: added.length, stopped: false }
}

/** What the model says to come after these tokens, or as many of the last as it reads. */
async function nextLogits(model: TrainedModel, ids: readonly number[]): Promise<Float32Array> {
  const tokens = tokensOf(model)
  const read = ids.slice(-(tokens - 1))
  const logits = tf.tidy(() => {
    const all = model.model.apply(tf.tensor2d(shifted([read], tokens), [1, tokens], 'int32'))
    return tf.slice(all, [0, read.length, 0], [1, 1, -1])
  })
  try {
    const values = (await logits.data()) as Float32Array
    await checkFinite(values, values.length, model)
    return values
  } finally {
    logits.dispose()
  }
}

function tokensOf({ preparation }: TrainedModel): number {
  return preparation.kind === 'text' ? preparation.tokens : 1
}

type Sampling = Pick<z.output<typeof schema>, 'temperature' | 'topK' | 'topP'>

function drawn(logits: Float32Array, { temperature, ...likely }: Sampling, key: Key, counter: number): number {
  const allowed = logits.map((logit, id) => (id < SPECIAL_TEXTS.length ? Number.NEGATIVE_INFINITY : logit))
  const likeliest = allowed.reduce(
    (best, logit, id) => (logit > (allowed[best] as number) ? id : best),
    SPECIAL_TEXTS.length,
  )
  if (temperature === 0) return likeliest
  const divided = allowed.map((logit) => logit / temperature)
  const probability = softmax(likeliestOf(divided, likely))
  let left = uniform(key, counter)
  for (let id = SPECIAL_TEXTS.length; id < allowed.length; id++) {
    left -= probability(id)
    if (left < 0) return id
  }
  return likeliest // rounding left a little over
}

/** The logits of the likeliest tokens, and minus infinity for all others. */
function likeliestOf(logits: Float32Array, { topK, topP }: Omit<Sampling, 'temperature'>): Float32Array {
  if (topK === undefined && topP === 1) return logits
  const at = (id: number) => logits[id] as number
  const first = Array.from(logits.keys())
    .sort((a, b) => at(b) - at(a) || a - b)
    .slice(0, topK)
  const probability = softmax(Float32Array.from(first, at))
  let left = topP
  const kept = first.filter((_, place) => {
    const isKept = left > 0
    left -= probability(place)
    return isKept
  })
  const found = new Float32Array(logits.length).fill(Number.NEGATIVE_INFINITY)
  for (const id of kept) found[id] = at(id)
  return found
}

/** What the added tokens add to the text of those before them; without the space that the prompt ends in already. */
function textAfter(prompt: string, tokenizer: Tokenizer, before: number[], added: number[]): string {
  const start = tokenizer.decode(before)
  const whole = tokenizer.decode([...before, ...added])
  const text = whole.startsWith(start) ? whole.slice(start.length) : tokenizer.decode(added)
  return /\s$/.test(prompt) && !/\s$/.test(start) ? text.replace(/^ /, '') : text
}
