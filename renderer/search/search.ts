import SYNONYMS from './synonyms.txt?raw'

/** Of the score of the best answer: what has less is none. */
const ENOUGH = 0.5
/** How much a synonym counts beside the word that was asked for, and a word of which that is the beginning. */
const [MEANT, BEGUN] = [0.65, 0.2]
/** How much more a word counts in a heading than in the text below it. */
const HEADING = 2
/** The stems of what a person may say, each with those of what commands and documents have for it; small words mean nothing. */
const MEANINGS = new Map(
  SYNONYMS.split('\n').flatMap((line) => {
    const [said, meant] = line.split(':')
    return stemsIn(said ?? '').map((stem): [string, string[]] => [stem, stemsIn(meant ?? '')])
  }),
)

/**
 * Makes a search through `items`, each with a heading and a text: it gives those that answer a question or have the
 * words, the best first. Words are compared by their stems, and count more the fewer items have them;
 * an answer has a share of them of at least `needed`.
 */
export function searchThrough<Item>(
  items: readonly Item[],
  textsOf: (item: Item) => [heading: string, text: string],
  needed = 0,
) {
  const indexed = items.map((item) => ({
    item,
    parts: textsOf(item).map((text) => Map.groupBy(stemsIn(text), (stem) => stem)),
  }))
  const rarity = (stem: string) => {
    const having = indexed.filter(({ parts }) => parts.some((part) => part.has(stem))).length
    return Math.log(1 + items.length / (1 + having))
  }
  return (query: string): Item[] => {
    const asked = stemsIn(query).filter((stem) => MEANINGS.get(stem)?.length !== 0)
    const weighted = asked.map((stem) => [
      { stem, weight: rarity(stem) },
      ...(MEANINGS.get(stem) ?? []).map((each) => ({ stem: each, weight: MEANT * rarity(each) })),
    ])
    const scored = indexed.map(({ item, parts: [heading = new Map(), text = new Map()] }) => {
      const found = (stem: string) => HEADING * within(heading, stem) + within(text, stem)
      const best = weighted.map((each) => Math.max(...each.map(({ stem, weight }) => weight * found(stem))))
      const has = best.filter(Boolean).length >= needed * asked.length
      return { item, score: has ? best.reduce((sum, each) => sum + each, 0) : 0 }
    })
    const least = ENOUGH * Math.max(...scored.map(({ score }) => score))
    const enough = scored.filter(({ score }) => score > 0 && score >= least)
    return enough.sort((a, b) => b.score - a.score).map(({ item }) => item)
  }
}

/** How much a part says of a word, from 0 to 1: a little more for each time. */
function within(part: ReadonlyMap<string, string[]>, stem: string): number {
  const times = part.get(stem)?.length ?? 0
  if (times > 0) return times / (times + 1)
  return stem.length > 2 && [...part.keys()].some((each) => each.startsWith(stem)) ? BEGUN : 0
}

/** The stems of the words of a text; `learningRate` is two words. */
export function stemsIn(text: string): string[] {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return [...words.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => stemOf(word))
}

/** Without what English adds to the end of a word: `training`, `trained` and `trains` are `train`. */
function stemOf(word: string): string {
  const bare = word.replace(/ies$/, 'y').replace(/(?<=\w{3})(?:ing|ed|es|s|er|e)$/, '')
  const shorter = bare.replace(/([^aeiou])\1$/, '$1')
  return shorter === word ? word : stemOf(shorter)
}
