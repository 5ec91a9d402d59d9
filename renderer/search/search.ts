import { SMALL, SYNONYMS } from './synonyms.ts'

/** Of the score of the best answer: what has less is none. */
const ENOUGH = 0.5
/** How much less a synonym counts than the word that was asked for, and a longer word that begins with it. */
const [MEANT, BEGUN] = [0.6, 0.4]
/** How much more a word counts in a heading than in the text below it. */
const HEADING = 2

/**
 * Makes a search through `items`, each with a heading and a text: it gives those that answer a question or have the
 * words, the best first. Words are compared by their stems, and count more the fewer items have them.
 */
export function searchThrough<Item>(items: readonly Item[], textsOf: (item: Item) => [heading: string, text: string]) {
  const indexed = items.map((item) => ({ item, parts: textsOf(item).map(countStems) }))
  const share = (word: string) => indexed.filter(({ parts }) => parts.some((part) => part.has(word))).length
  return (query: string): Item[] => {
    const asked = stemsIn(query).filter((stem) => !SMALL_STEMS.has(stem))
    const weighted = asked.map((stem) => {
      const meant = (MEANINGS.get(stem) ?? []).map((each): [string, number] => [each, MEANT])
      return [[stem, 1] as [string, number], ...meant].map(([word, weight]) => {
        return { word, weight: weight * Math.log(1 + items.length / (1 + share(word))) }
      })
    })
    const scored = indexed.map(({ item, parts: [heading = new Map(), text = new Map()] }) => {
      const found = (word: string) => HEADING * within(heading, word) + within(text, word)
      const best = weighted.map((words) => Math.max(0, ...words.map(({ word, weight }) => weight * found(word))))
      return { item, score: best.reduce((sum, each) => sum + each, 0) }
    })
    const most = Math.max(...scored.map(({ score }) => score))
    return scored
      .filter(({ score }) => score > 0 && score >= ENOUGH * most)
      .sort((a, b) => b.score - a.score)
      .map(({ item }) => item)
  }
}

/** How much a part says of a word, from 0 to 1: less for each time more. */
function within(part: ReadonlyMap<string, number>, word: string): number {
  const times = part.get(word) ?? 0
  if (times > 0) return times / (times + 1)
  return word.length > 2 && [...part.keys()].some((each) => each.startsWith(word)) ? BEGUN / 2 : 0
}

function countStems(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const stem of stemsIn(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

/** The stems of the words of a text; `learningRate` is two words. */
export function stemsIn(text: string): string[] {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return [...words.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => stemOf(word))
}

/** Without what English adds to the end of a word: `training`, `trained` and `trains` are `train`. */
function stemOf(word: string): string {
  const shorter = word
    .replace(/ies$/, 'y')
    .replace(/(?<=\w{3})(?:ing|ed|es|s|er|e)$/, '')
    .replace(/([^aeiou])\1$/, '$1')
  return shorter === word ? word : stemOf(shorter)
}

const SMALL_STEMS = new Set([...SMALL].map(stemOf))
const MEANINGS = new Map(Object.entries(SYNONYMS).map(([said, meant]) => [stemOf(said), stemsIn(meant)]))
