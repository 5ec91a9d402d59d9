import { digest } from '../../digest.ts'
import { datasetKind } from '../../kind.ts'
import type { Planted, TextBatch } from '../../types.ts'
import type { WorldDraws } from './draws.ts'
import { isIndividual } from './kinds.ts'
import { say } from './say.ts'
import { drawnTexts, exampleSource, type SplitName, sizesOf, VERSION, wordsOf, worldOptions } from './split.ts'
import { RELATIONS, type Relation, relation, type Statement } from './statement.ts'
import { drawStatement, vary } from './vary.ts'
import { NAMES, TOPICS, type Topic } from './words.ts'

/** Genres are topics. Those of the mismatched test are in the corpus, but not in any pair to train on. */
export const GENRES = { matched: TOPICS.slice(0, 7), mismatched: TOPICS.slice(7) }

/**
 * Premise and hypothesis. The hypothesis is drawn before the class is known, so that by itself it says nothing; the
 * premise is made of it by small edits, whose meaning gives the class, and hidden among statements that decide nothing.
 */
export const pairsKind = datasetKind('world', worldOptions(30_000, 1000), async (options, hashed) => {
  const split = (name: SplitName) => {
    const source = exampleSource(options.seed, 'pairs', name)
    const genres = name === 'mismatched' ? GENRES.mismatched : GENRES.matched
    const draw = (index: number) => {
      const label = source.labelAt(index, RELATIONS.length)
      const wanted = RELATIONS[label] ?? 'neutral'
      const make = (draws: WorldDraws) => drawPair(draws, draws.pick(genres), wanted, options.difficulty)
      return { ...source.drawAt(index, make, ({ second }) => second), label }
    }
    return drawnTexts(sizesOf(options)[name], draw, batchOf, plantedIn)
  }
  return {
    name: 'world',
    hash: digest(JSON.stringify(['world pairs', VERSION, hashed])),
    classes: [...RELATIONS],
    train: split('train'),
    validation: split('validation'),
    test: split('test'),
    others: { mismatched: split('mismatched') },
  }
})

/** A pair, and what it means. */
export interface SentencePair {
  first: string
  second: string
  premises: Statement[]
  hypothesis: Statement
}

export function drawPair(draws: WorldDraws, topic: Topic, wanted: Relation, difficulty: number): SentencePair {
  const hypothesis = drawStatement(draws, topic)
  const edited = () => vary(draws, hypothesis, topic, 1 + draws.below(2 + Math.round(2 * difficulty)))
  let deciding = edited()
  while (relation(deciding, hypothesis) !== wanted) deciding = edited()

  const premises = [deciding]
  const others = [0.8, 0.4].filter((share) => draws.chance(share * 2 * Math.min(difficulty, 0.6))).length
  for (let tries = 0; premises.length <= others && tries < 50; tries++) {
    const other = { ...edited(), count: 1 }
    if (isIdle(other, hypothesis, premises)) premises.splice(draws.below(premises.length + 1), 0, other)
  }
  const first = premises.map((premise) => `${say(draws, premise)} .`).join(' ')
  return { first, second: `${say(draws, hypothesis)} .`, premises, hypothesis }
}

/** What a pair is made of. */
function plantedIn({ first, premises, hypothesis }: SentencePair): Planted {
  const negative = ({ form }: Statement) => form === 'fewer' || form === 'notEvery'
  const every = ({ form }: Statement) => form === 'every' || form === 'notEvery'
  return {
    'words of the premise': wordsOf(first),
    statements: premises.length,
    'negative statements': premises.filter(negative).length,
    'negative hypothesis': Number(negative(hypothesis)),
    'hypothesis on every one': Number(every(hypothesis)),
    'hypothesis on an individual': Number(isIndividual(hypothesis.subject)),
    'place in the hypothesis': Number(hypothesis.event.place !== undefined),
  }
}

/** Whether a statement changes nothing: alone it is neutral, and together with the others nothing new follows. */
function isIdle(other: Statement, hypothesis: Statement, premises: Statement[]): boolean {
  const all = [other, ...premises, hypothesis]
  const counts = all.some(({ count }) => count > 1)
  const names = all.filter(({ subject }) => NAMES.includes(subject)).length
  return (
    relation(other, hypothesis) === 'neutral' &&
    premises.every((premise) => isCompatible(premise, other)) &&
    // names add up, and every one is as many as have been counted
    !(counts && (names > 1 || all.some(({ form }) => form === 'every')))
  )
}

const isCompatible = (a: Statement, b: Statement) =>
  relation(a, b) !== 'contradiction' && relation(b, a) !== 'contradiction'

function batchOf(pairs: (SentencePair & { label: number })[]): TextBatch {
  return {
    first: pairs.map(({ first }) => first),
    second: pairs.map(({ second }) => second),
    labels: Int32Array.from(pairs, ({ label }) => label),
  }
}
