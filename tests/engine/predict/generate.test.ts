import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { readTokenizer, trainTokenizer } from '../../../engine/data/tokenizers/index.ts'
import type { Model } from '../../../engine/nn/model.ts'
import { generate } from '../../../engine/predict/generate.ts'
import type { TrainedModel } from '../../../engine/predict/trained.ts'
import { preparationOf } from '../../../engine/tasks/textInput.ts'

const saved = (
  await trainTokenizer({ kind: 'words', vocabulary: 9, lowercase: true }, [
    'one two three four one two three one two one',
  ])
).save()
const tokenizer = readTokenizer(saved)
const [one] = tokenizer.encode('one').ids
const seen: number[][] = []

/** Says the token after the last one, most likely by far with `sure`; ids from 5 on are words. */
function counting(sure: number, tokens = 5): TrainedModel {
  const apply: Model['apply'] = (input) => {
    const ids = (input as tf.Tensor2D).arraySync()[0] as number[]
    seen.push(ids)
    const next = ids.map((id) => (id < 5 ? (one as number) : 5 + ((id - 4) % 4)))
    return tf.mul(tf.oneHot(tf.tensor2d([next], [1, tokens], 'int32'), tokenizer.size), sure)
  }
  return {
    ...{ source: 'run 1', model: { parameters: [], trained: [], size: 0, apply, dispose: () => {} } },
    ...{ task: { task: 'clm', options: {} }, preparation: preparationOf(tokens, '[CLS] text', null) },
    ...{ classes: null, tokenizer, notes: [], dispose: () => {} },
  }
}

describe('generation', () => {
  it('goes on token by token, with the last tokens that the model reads, and leaves no tensors', async () => {
    const before = tf.memory().numTensors
    seen.length = 0
    const found = await generate(counting(100), { prompt: 'one', tokens: 6 })
    expect(found).toEqual({ prompt: 'one', text: ' two three four one two three', tokens: 6, stopped: false })
    expect(seen[0]).toEqual([2, one, 0, 0, 0])
    expect((await generate(counting(100), { prompt: 'one ', tokens: 2 })).text).toBe('two three')
    seen.pop()
    seen.pop()
    expect(seen.at(-1)).toEqual([2, ...tokenizer.encode('three four one two').ids])
    expect(tf.memory().numTensors).toBe(before)
  })
  it('ends before a text to stop at', async () => {
    const found = await generate(counting(100), { stop: ['four', 'three one'], tokens: 50 })
    expect(found).toEqual({ prompt: '', text: 'one two three ', tokens: 4, stopped: true })
  })
  it('draws by temperature and seed, and never special tokens', async () => {
    const text = async (options: object) => (await generate(counting(1), { tokens: 30, ...options })).text
    expect(await text({ temperature: 0 })).toBe((await generate(counting(100), { tokens: 30 })).text)
    expect(await text({ temperature: 0.05 })).toBe(await text({ temperature: 0 }))
    const hot = await text({ temperature: 5 })
    expect(await text({ temperature: 5 })).toBe(hot)
    expect(await text({ temperature: 5, seed: 1 })).not.toBe(hot)
    expect(hot).toMatch(/^(one|two|three|four| )+$/)
  })
  it('draws among the likeliest, of as many tokens or of so much probability', async () => {
    const text = async (options: object) =>
      (await generate(counting(1), { tokens: 30, temperature: 5, ...options })).text
    const greedy = await text({ temperature: 0 })
    const hot = await text({})
    expect(await text({ topK: 1 })).toBe(greedy)
    expect(await text({ topP: 0.01 })).toBe(greedy)
    const two = await text({ topK: 2 })
    expect(await text({ topK: 2 })).toBe(two)
    expect(two).not.toBe(hot)
    expect(two).not.toBe(greedy)
    // the likeliest and, of equal ones, the first
    expect(two).toMatch(/^(one|two|three|four| )+$/)
    expect(await text({ topK: 9, topP: 1 })).toBe(hot)
    expect(await text({ topK: 2, topP: 0.5 })).toBe(greedy)
  })
  it('refuses other models, other options, and what is no number', async () => {
    const other = { ...counting(1), task: { task: 'mlm', options: {} } }
    await expect(generate(other, {})).rejects.toThrow(
      'run 1: is of task mlm, expected a causal language model, task clm',
    )
    await expect(generate(counting(1), { temperature: -1 })).rejects.toThrow(
      'generate.temperature: -1, expected at least 0',
    )
    await expect(generate(counting(1), { topK: 0 })).rejects.toThrow('generate.topK: 0, expected at least 1')
    await expect(generate(counting(1), { topP: 1.5 })).rejects.toThrow('generate.topP: 1.5, expected at most 1')
    await expect(generate(counting(Number.NaN), {})).rejects.toThrow('not')
  })
})
