import { digest } from '../../digest.ts'
import { datasetKind } from '../../kind.ts'
import type { WorldDraws } from './draws.ts'
import { drawQuestion } from './question.ts'
import { drawnTexts, exampleSource, type SplitName, sizesOf, VERSION, worldOptions } from './split.ts'
import { TOPICS } from './words.ts'

/** Passages with a question each, of which every third has no answer in it. */
export const spansKind = datasetKind('world', worldOptions(30_000, 1000), async (options, hashed) => {
  const split = (name: SplitName) => {
    const source = exampleSource(options.seed, 'spans', name)
    const draw = (index: number) => {
      const answerable = source.labelAt(index, 3) > 0 // about as in SQuAD 2.0
      const make = (draws: WorldDraws) => drawQuestion(draws, draws.pick(TOPICS), answerable, options.difficulty)
      return source.drawAt(index, make, ({ question }) => question)
    }
    return drawnTexts(sizesOf(options)[name], draw, (examples) => ({
      questions: examples.map(({ question }) => question),
      passages: examples.map(({ story }) => story.text),
      answers: examples.map(({ answer }) => (answer ? [answer] : [])),
    }))
  }
  return {
    name: 'world',
    hash: digest(JSON.stringify(['world spans', VERSION, hashed])),
    unanswerable: true,
    train: split('train'),
    validation: split('validation'),
    test: split('test'),
  }
})
