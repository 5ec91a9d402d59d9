import { z } from 'zod'
import { digest } from '../../digest.ts'
import { datasetKind, type Written } from '../../kind.ts'
import type { Planted } from '../../types.ts'
import type { WorldDraws } from './draws.ts'
import { isA } from './kinds.ts'
import { drawQuestion, type Question } from './question.ts'
import { drawnTexts, exampleSource, type SplitName, sizesOf, VERSION, wordsOf, worldOptions } from './split.ts'
import { TOPICS } from './words.ts'

const spansOptions = worldOptions(30_000, 1000).extend({
  /** Whether every third question has no answer in its passage, as in SQuAD 2.0; otherwise all have one, as in SQuAD 1.1. */
  unanswerable: z.boolean().default(true),
})

export type SpansOptions = Written<typeof spansOptions>

/** Passages with a question each, of which every third has no answer in it. */
export const spansKind = datasetKind('world', spansOptions, async (options, hashed) => {
  const split = (name: SplitName) => {
    const source = exampleSource(options.seed, 'spans', name)
    const draw = (index: number) => {
      const answerable = !options.unanswerable || source.labelAt(index, 3) > 0 // about as in SQuAD 2.0
      const make = (draws: WorldDraws) => drawQuestion(draws, draws.pick(TOPICS), answerable, options.difficulty)
      return source.drawAt(index, make, ({ question }) => question)
    }
    const batch = (examples: Question[]) => ({
      questions: examples.map(({ question }) => question),
      passages: examples.map(({ story }) => story.text),
      answers: examples.map(({ answer }) => (answer ? [answer] : [])),
    })
    return drawnTexts(sizesOf(options)[name], draw, batch, plantedIn)
  }
  return {
    name: 'world',
    hash: digest(JSON.stringify(['world spans', VERSION, hashed])),
    unanswerable: options.unanswerable,
    train: split('train'),
    validation: split('validation'),
    test: split('test'),
  }
})

/** What a question is made of. */
function plantedIn({ story, query, question, answer }: Question): Planted {
  const { asked, known } = query
  const alike = story.facts.filter(({ verb }) => isA(verb, known.verb)).length
  return {
    'words of the passage': wordsOf(story.text),
    facts: story.facts.length,
    'facts of its verb': alike,
    asked,
    answer: answer ? 'in the passage' : 'none',
    'wider verb': Number(story.facts.every(({ verb }) => verb !== known.verb)),
    'words of the question': wordsOf(question),
  }
}
