import { keyOf } from '../../../random.ts'
import { digest } from '../../digest.ts'
import { datasetKind } from '../../kind.ts'
import { validationCountBeside } from '../../splits.ts'
import type { TextSource } from '../../types.ts'
import { draws, type WorldDraws } from './draws.ts'
import { drawOpinion, type Sentiment } from './opinion.ts'
import { drawPair } from './pairs.ts'
import { drawQuestion } from './question.ts'
import { streamAt, VERSION, worldOptions } from './split.ts'
import { TOPICS, type Topic } from './words.ts'

/** Running text, a document a line. A document keeps to its topic, and a review to its sentiment. */
export const corpusKind = datasetKind('world', worldOptions(4000, 400), async (options, hashed) => {
  const source = (name: 'train' | 'validation' | 'test', documents: number): TextSource => {
    const key = keyOf(options.seed, `world/${VERSION}/corpus/${name}`)
    const document = (_: unknown, index: number) => drawDocument(draws(streamAt(key, index)), options.difficulty)
    const text = Array.from({ length: documents }, document).join('\n')
    return { bytes: text.length, read: async (from, to) => text.slice(from, to) } // all of it is ASCII
  }
  return {
    name: 'world',
    hash: digest(JSON.stringify(['world corpus', VERSION, hashed])),
    train: source('train', options.train),
    validation: source('validation', validationCountBeside(options)),
    test: source('test', options.test),
  }
})

type Document = (draws: WorldDraws, topic: Topic, difficulty: number) => string

/** What happened, and a question on it with its answer. */
const story: Document = (draws, topic, difficulty) => {
  const { question, answer, story } = drawQuestion(draws, topic, true, difficulty)
  return `${story.text} ${question} ${story.text.slice(answer?.start, answer?.end)} .`
}

/** Opinions that agree. */
const review: Document = (draws, topic, difficulty) => {
  const sentiment: Sentiment = draws.chance(0.5) ? 1 : 0
  const sentences = Array.from(
    { length: 3 + draws.below(3) },
    () => drawOpinion(draws, topic, sentiment, difficulty).text,
  )
  return sentences.map((sentence) => `${sentence} .`).join(' ')
}

/** Statements, and what follows from them. */
const report: Document = (draws, topic, difficulty) => {
  const pairs = [1, 2].map(() => drawPair(draws, topic, 'entailment', difficulty))
  return pairs.map(({ first, second }) => `${first} so ${second}`).join(' ')
}

const drawDocument = (draws: WorldDraws, difficulty: number) =>
  draws.pick([story, review, report])(draws, draws.pick(TOPICS), difficulty)
