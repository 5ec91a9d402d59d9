import { missingText } from '../data/classFolders.ts'
import type { ScannedSplit } from './scan.ts'
import { grouped } from './words.ts'

/** A class with less than this share of the examples of the largest one is said. */
const RARE = 1 / 3

/** Examples and classes that are named; the others are counted. */
const NAMED = 5

/** What is to be known of the scanned splits, the training part first: a sentence each. */
export function noticesOf(splits: readonly ScannedSplit[], classes: readonly string[], unit: string): string[] {
  const pairs = splits.flatMap((later, i) => splits.slice(0, i).map((earlier) => duplicates(earlier, later)))
  const [train] = splits
  const rare = train && classes.length > 0 ? imbalance(train, classes, unit) : null
  const missing = train ? splits.slice(1).map((split) => missingClasses(train, split, classes)) : []
  return [rare, ...missing, ...splits.map(copies), ...pairs, ...splits.map(unreadable)].filter((each) => each !== null)
}

/** That some examples of a split are in an earlier one, too. */
function duplicates(earlier: ScannedSplit, later: ScannedSplit): string | null {
  const both = new Map<number, number>()
  for (const [content, index] of later.contents) {
    const other = earlier.contents.get(content)
    if (other !== undefined) both.set(index, other)
  }
  // by number: what a copy is a copy of has a smaller one
  for (const [index, first] of [...later.copies].sort(([a], [b]) => a - b)) {
    const other = both.get(first)
    if (other !== undefined) both.set(index, other)
  }
  const are = both.size === 1 ? 'is' : 'are'
  return same([...both], later, earlier, `${are} also in ${earlier.name}`)
}

/** That some examples of a split are in it more than once. */
const copies = (split: ScannedSplit) =>
  same([...split.copies], split, split, split.copies.size === 1 ? 'is a copy of another' : 'are copies of others')

/** That examples of a split, each with the one of another that it is the same as, are what `are` says. */
function same(both: [number, number][], split: ScannedSplit, other: ScannedSplit, are: string): string | null {
  if (both.length === 0) return null
  const named = both
    .sort(([a], [b]) => a - b)
    .slice(0, NAMED)
    .map(([index, first]) => `${split.name} ${index} is ${other.name} ${first}`)
  return `${grouped(both.length)} of ${grouped(split.looked)} ${split.name} examples ${are}: ${listed(named, both.length)}.`
}

/** That classes are much rarer than the most frequent one. */
function imbalance({ name, counts }: ScannedSplit, classes: readonly string[], unit: string): string | null {
  const all = classes.map((each, i) => ({ name: each, count: counts[i] ?? 0 }))
  const total = all.reduce((sum, { count }) => sum + count, 0)
  const [most, ...others] = all.sort((a, b) => b.count - a.count)
  const rare = others.filter(({ count }) => count < RARE * (most?.count ?? 0)).reverse()
  if (!most || rare.length === 0) return null
  const share = (count: number) => `${grouped(count)} (${((100 * count) / total).toFixed(1)}%)`
  const named = rare.slice(0, NAMED).map((each) => `'${each.name}' has ${share(each.count)}`)
  return `Classes are unequal: of ${grouped(total)} ${unit} of ${name} '${most.name}' has ${share(most.count)}, ${listed(named, rare.length)}.`
}

/** That a split that was read in full lacks classes that one trains on. */
function missingClasses(train: ScannedSplit, split: ScannedSplit, classes: readonly string[]): string | null {
  const { name, whole, counts } = split
  const missing = classes.filter((_, i) => (train.counts[i] ?? 0) > 0 && !counts[i])
  if (!whole || missing.length === 0) return null
  return missingText(name, missing)
}

function unreadable({ name, unreadable: all }: ScannedSplit): string | null {
  if (all.length === 0) return null
  const what = all.length === 1 ? 'example' : 'examples'
  return `${all.length} ${what} of ${name} cannot be read: ${listed(all.slice(0, NAMED), all.length, '; ')}.`
}

/** Names, and how many more there are. */
function listed(named: readonly string[], count: number, between = ', '): string {
  return count > named.length ? `${named.join(between)} and ${grouped(count - named.length)} more` : named.join(between)
}
