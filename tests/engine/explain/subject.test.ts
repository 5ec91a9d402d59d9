import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { trainTokenizer } from '../../../engine/data/tokenizers/index.ts'
import { classNamed, explain } from '../../../engine/explain/explain.ts'
import { span, world } from '../../../engine/index.ts'
import { createModel, type Forward } from '../../../engine/nn/model.ts'
import { ask } from '../../../engine/predict/ask.ts'
import type { TrainedModel } from '../../../engine/predict/trained.ts'

const data = world({ train: 60, test: 10 })
const pause = async () => {}
const tokenizer = await trainTokenizer({ kind: 'words', vocabulary: 30, lowercase: true }, [
  'anna called the baker and the baker met tom at the mill today who ?',
])
const idOf = (word: string) => tokenizer.encode(word).ids[0] as number

let before = 0
beforeEach(async () => {
  await tf.setBackend('cpu')
  before = tf.memory().numTensors
})
afterEach(() => expect(tf.memory().numTensors).toBe(before))

function trained(task: string, tokens: number, forward: Forward, options = {}): TrainedModel {
  const model = createModel(forward, { shape: [1, tokens], dtype: 'int32' }, 0)
  return {
    ...{ source: 'run 1', model, task: { task, options }, classes: null, tokenizer, notes: [], dispose: model.dispose },
    preparation: { kind: 'text', tokens } as TrainedModel['preparation'],
  }
}

/** 1 where a word stands. */
const isWord = (input: tf.Tensor, word: string) => tf.cast(tf.equal(input, idOf(word)), 'float32')

/** `baker` at each place that is asked for, where `called` is in the text. */
const bakerIfCalled: Forward = (input, { positions } = {}) => {
  const [rows = 1] = input.shape
  const places = positions?.shape[1] ?? 1
  const called = tf.reshape(tf.max(isWord(input, 'called'), 1), [rows, 1, 1])
  const baker = tf.oneHot(tf.fill([rows, places], idOf('baker'), 'int32'), tokenizer.size)
  return tf.reshape(tf.mul(tf.mul(baker, called), 9), [rows * places, tokenizer.size])
}

/** The one token after `met`. */
const afterMet: Forward = (input) => {
  const met = isWord(input, 'met')
  const after = tf.concat(
    [tf.zerosLike(tf.slice(met, [0, 0], [-1, 1])), tf.slice(met, [0, 0], [-1, (input.shape[1] as number) - 1])],
    1,
  )
  return tf.mul(tf.stack([after, after], -1), 9)
}

const changed = ({ units, drops }: { units: string[]; drops: Float32Array }) =>
  units.filter((_, i) => Math.abs(drops[i] as number) > 1e-3)

it('says which word a masked word is guessed by, and of several masks how likely their words are on the mean', async () => {
  const model = trained('mlm', 16, bakerIfCalled)
  const one = await explain(model, { texts: ['Anna called the [MASK] and Zoe'] }, null, pause)
  expect(one.units).toEqual(['anna', 'called', 'the', '[MASK]', 'and', 'Zoe'])
  expect([one.name, changed(one)]).toEqual(['baker', ['called']])
  const [answer] = await ask(model, { texts: ['Anna called the [MASK] and Zoe'] }, 1)
  expect(one.probability).toBeCloseTo(answer?.likely[0]?.probability ?? 0, 6)
  const two = await explain(model, { texts: ['[MASK] called the [MASK]'] }, null, pause)
  expect(two.name).toBe('baker, baker')
  expect(two.probability).toBeCloseTo(one.probability, 5)
  expect(changed(two)).toEqual(['called'])
  model.dispose()
})

it('says which word of question and passage a span is found by, in whatever window it lies', async () => {
  const passage = 'Anna called the baker and Xerxes met Tom at the Zilina'
  for (const tokens of [24, 10]) {
    const model = trained('span', tokens, afterMet, span({ data, tokens, question: 2, stride: 3, answer: 2 }).options)
    const question = { texts: ['who ?', passage] }
    const found = await explain(model, question, null, pause)
    expect([found.name, changed(found)]).toEqual(['Tom', ['met']])
    expect(found.units).toContain('Zilina')
    const [answer] = await ask(model, question, 1)
    expect(found.probability).toBeCloseTo(answer?.likely[0]?.probability ?? 0, 6)
    model.dispose()
  }
})

it('says what it cannot explain', async () => {
  const model = trained('span', 24, afterMet, span({ data, tokens: 24, question: 2 }).options)
  await expect(explain(model, { texts: ['who ?', ''] }, null, pause)).rejects.toThrow(
    'passage: has no words that could be an answer',
  )
  expect(() => classNamed('baker', model)).toThrow("run 1: has no classes, so none is 'baker'")
  model.dispose()
})
