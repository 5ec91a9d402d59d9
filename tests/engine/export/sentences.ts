import { integer, keyOf } from '../../../engine/random.ts'

const STRANGE = [
  "it's",
  'great,',
  'unknowable',
  'naïve',
  '42',
  '#tag',
  '日本',
  'é',
  'Dull.',
  '(why?)',
  'a-b',
  '😀',
  'ΑΒΓ',
]

/** So many sentences of these words and of strange ones, with white space of all sorts. */
export function sentences(count: number, words: readonly string[]): string[] {
  const all = [...words, ...STRANGE]
  return Array.from({ length: count }, (_, i) => {
    const key = keyOf(i, 'sentence')
    const chosen = Array.from({ length: 1 + (i % 12) }, (_, at) => all[integer(key, at, all.length)])
    return chosen.join([' ', '  ', '\t', '\n'][i % 4])
  })
}
