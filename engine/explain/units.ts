import * as tf from '@tensorflow/tfjs-core'
import { SPECIAL, SPECIAL_TEXTS, type Tokenizer } from '../data/tokenizers/types.ts'
import type { ModelBatch } from '../predict/batched.ts'
import type { TrainedModel } from '../predict/trained.ts'

/** What of an input is replaced at a time, and how. */
export interface Units {
  /** How the units of a picture lie; null for those in a row. */
  grid: [rows: number, columns: number] | null
  /** Where the units of a cloud lie, `[units, 3]`, flat; null for other inputs. */
  cloud: number[] | null
  /** At which token each word stands; null for other inputs. */
  places: number[] | null
  names: string[]
  /** The input `[1, ...]` with unit `i` replaced. */
  replaced(i: number): tf.Tensor
}

/** Units of a picture along its shorter side where its model has no patches. */
const SIDE = 8

/**
 * What of the input of a model is replaced: of a picture the patches of its `tokens`, or a grid, by the mean colour; of a
 * text each token by [MASK]; of a cloud each point by its middle. Null for other inputs.
 */
export async function unitsOf(
  { input }: ModelBatch,
  texts: readonly string[],
  model: TrainedModel,
  tokens: number,
): Promise<Units | null> {
  const { preparation, tokenizer } = model
  if (preparation.kind === 'image') {
    const [height, width] = preparation.size
    const grid = gridOf(tokens, height, width)
    return { grid, cloud: null, places: null, names: namesIn(grid), replaced: (i) => withoutPatch(input, grid, i) }
  }
  if (preparation.kind === 'text' && tokenizer) {
    const ids = (await input.data()) as Int32Array
    const places = Array.from(ids.keys()).filter((at) => isWord(ids[at] as number))
    return {
      ...{ grid: null, cloud: null, places },
      names: wordsIn(ids, texts, tokenizer),
      replaced: (i) => tf.tensor(ids.with(places[i] as number, SPECIAL.mask), input.shape, 'int32'),
    }
  }
  if (preparation.kind !== 'points') return null
  const values = (await input.data()) as Float32Array
  return {
    ...{ grid: null, cloud: Array.from(values), places: null },
    names: Array.from({ length: preparation.points }, (_, i) => `point ${i + 1}`),
    replaced: (i) =>
      tf.tensor(
        values.map((value, at) => (Math.floor(at / 3) === i ? 0 : value)),
        input.shape,
      ),
  }
}

/** A token that stands for a word, be it hidden. */
const isWord = (id: number) => id >= SPECIAL_TEXTS.length || id === SPECIAL.unknown || id === SPECIAL.mask

/** The text of each token that stands for a word: of one that is not in the vocabulary as it was written. */
function wordsIn(ids: Int32Array, texts: readonly string[], tokenizer: Tokenizer): string[] {
  const encoded = texts.map((text) => tokenizer.encode(text))
  const names: string[] = []
  let [text, token] = [0, 0]
  for (const id of ids) {
    const [from, to] = [encoded[text]?.starts[token], encoded[text]?.ends[token]]
    if (isWord(id)) {
      const written = id === SPECIAL.unknown ? texts[text]?.slice(from, to) : undefined
      names.push(written || tokenizer.textOf(id))
      token++
    }
    if (id === SPECIAL.separator || id === SPECIAL.mask) [text, token] = [text + 1, 0]
  }
  return names
}

/** Rows and columns of the patches that so many tokens are, one of the class among them or not; else of squares. */
function gridOf(tokens: number, height: number, width: number): [number, number] {
  for (const count of [tokens, tokens - 1]) {
    const rows = Math.round(Math.sqrt((count * height) / width))
    if (rows > 1 && count % rows === 0 && height % rows === 0 && width % (count / rows) === 0)
      return [rows, count / rows]
  }
  const side = Math.max(1, Math.floor(Math.min(height, width) / SIDE))
  return [Math.ceil(height / side), Math.ceil(width / side)]
}

const namesIn = ([rows, columns]: [number, number]) =>
  Array.from({ length: rows * columns }, (_, i) => `row ${Math.floor(i / columns) + 1}, column ${(i % columns) + 1}`)

/** A picture with a patch of the mean colour, which is 0 as the model reads it. */
function withoutPatch(input: tf.Tensor, [rows, columns]: [number, number], patch: number): tf.Tensor {
  const [, height = 1, width = 1] = input.shape
  const [row, column] = [Math.floor(patch / columns), patch % columns]
  const within = (at: number, i: number, count: number, length: number) =>
    at >= Math.floor((i * length) / count) && at < Math.floor(((i + 1) * length) / count)
  const kept = Float32Array.from({ length: height * width }, (_, at) => {
    const isIn = within(Math.floor(at / width), row, rows, height) && within(at % width, column, columns, width)
    return Number(!isIn)
  })
  return tf.mul(input, tf.tensor4d(kept, [1, height, width, 1]))
}
