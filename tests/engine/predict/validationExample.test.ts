import * as tf from '@tensorflow/tfjs'
import { beforeAll, expect, it } from 'vitest'
import { trainTokenizer } from '../../../engine/data/tokenizers/index.ts'
import { unitsOf } from '../../../engine/explain/units.ts'
import { mlm, pair, points, sequence, solids, span, world } from '../../../engine/index.ts'
import { besideOf, readBeside } from '../../../engine/predict/demo.ts'
import type { TrainedModel } from '../../../engine/predict/trained.ts'
import { validationExample } from '../../../engine/predict/validationExample.ts'
import { taskKind } from '../../../engine/tasks/index.ts'
import { fitted, textTensors } from '../../../engine/tasks/textInput.ts'
import type { Task, TaskSpec } from '../../../engine/tasks/types.ts'
import { memoryFiles } from '../data/memory-files.ts'

beforeAll(() => tf.setBackend('cpu'))

const data = world({ train: 60, test: 10 })
async function open({ task, options }: TaskSpec): Promise<Task> {
  const kind = taskKind(task)
  return kind.open(kind.resolve(options), memoryFiles({}))
}

it('takes texts as they are written, with the class or the answer that is right', async () => {
  const text = await open(sequence({ data, tokens: 32 }))
  const { question, truth } = await validationExample(text, 1)
  const written = (await text.textsOf?.('validation', [1]))?.[0]
  expect(question).toEqual({ texts: written?.map((each) => each.text) })
  expect(text.classes).toContain((truth as { name: string }).name)
  const two = await validationExample(await open(pair({ data, tokens: 32 })), 0)
  expect((two.question as { texts: string[] }).texts).toHaveLength(2)

  const spans = await open(span({ data, tokens: 64, question: 14 }))
  const [asked, passage] = ((await validationExample(spans, 0)).question as { texts: [string, string] }).texts
  const { name } = (await validationExample(spans, 0)).truth as { name: string }
  expect(asked.endsWith('?')).toBe(true)
  expect(name === 'no answer' || passage.includes(name)).toBe(true)
  await expect(validationExample(spans, 1_000_000)).rejects.toThrow(/example: 1000001, there are \d+ for validation/)
})

it('asks for each masked token of a text, and takes a cloud as a file', async () => {
  const before = tf.memory().numTensors
  const masked = await validationExample(await open(mlm({ data, tokens: 32 })), 0)
  const [text] = (masked.question as { texts: [string] }).texts
  const words = (masked.truth as { name: string }).name.split(', ')
  expect(text.split('[MASK]')).toHaveLength(words.length + 1)
  const clouds = await open(points({ data: solids({ train: 20, test: 4 }) }))
  const { question } = await validationExample(clouds, 0)
  expect(question).toMatchObject({ name: 'validation example 1.xyz' })
  expect(readBeside(await besideOf(clouds)).examples[0]?.question).toEqual(question)
  expect(tf.memory().numTensors).toBe(before)
})

it('names a word that the tokenizer does not know as it was written, and where it stands', async () => {
  const tokenizer = await trainTokenizer({ kind: 'words', vocabulary: 20, lowercase: true }, [
    'the baker',
    'the roofer',
  ])
  const texts = ['the Zebra', 'a baker']
  const ids = texts.map((text) => tokenizer.encode(text).ids) as [Int32Array, Int32Array]
  const batch = textTensors([fitted(12, ...ids)], 12)
  const model = { preparation: { kind: 'text' }, tokenizer } as unknown as TrainedModel
  expect(await unitsOf(batch, texts, model, 12)).toMatchObject({
    names: ['the', 'Zebra', 'a', 'baker'],
    places: [1, 2, 4, 5],
  })
  tf.dispose(batch)
})
