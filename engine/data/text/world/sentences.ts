import { digest } from '../../digest.ts'
import { datasetKind } from '../../kind.ts'
import type { WorldDraws } from './draws.ts'
import { drawOpinion, type Sentiment } from './opinion.ts'
import { drawnTexts, exampleSource, type SplitName, sizesOf, VERSION, wordsOf, worldOptions } from './split.ts'
import { TOPICS } from './words.ts'

/** Single sentences, to be classified as negative or positive. */
export const sentencesKind = datasetKind('world', worldOptions(6000, 1000), async (options, hashed) => {
  const split = (name: SplitName) => {
    const source = exampleSource(options.seed, 'sentences', name)
    const draw = (index: number) => {
      const label: Sentiment = source.labelAt(index, 2) === 0 ? 0 : 1
      const make = (draws: WorldDraws) => {
        const { text, planted } = drawOpinion(draws, draws.pick(TOPICS), label, options.difficulty)
        return { text: `${text} .`, planted }
      }
      return { ...source.drawAt(index, make, ({ text }) => text), label }
    }
    const batch = (examples: ReturnType<typeof draw>[]) => ({
      first: examples.map(({ text }) => text),
      labels: Int32Array.from(examples, ({ label }) => label),
    })
    return drawnTexts(sizesOf(options)[name], draw, batch, ({ text, planted }) => ({
      words: wordsOf(text),
      ...planted,
    }))
  }
  return {
    name: 'world',
    hash: digest(JSON.stringify(['world sentences', VERSION, hashed])),
    classes: ['negative', 'positive'],
    train: split('train'),
    validation: split('validation'),
    test: split('test'),
  }
})
