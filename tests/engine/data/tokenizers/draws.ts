import { integer, keyOf } from '../../../../engine/random.ts'

const ALPHABETS = [
  'abcde',
  'ABCxyz019',
  ' \t\n\u00a0',
  ".,;'!?-[]",
  'äéßøŒİΣς',
  'привет',
  '日本語中',
  'नमस्ते',
  '👍🏽🧪🇨🇭𝒜',
  '\u0000\ufeff\u200d',
]

/** Texts that are drawn from several scripts, with runs of the same one; well formed. */
export function drawnTexts(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, i) => {
    const key = keyOf(i, name)
    const characters = Array.from({ length: integer(key, 0, 40) }, (_, j) => {
      const alphabet = [...(ALPHABETS[integer(key, 1 + 2 * (j >> 2), ALPHABETS.length)] as string)]
      return alphabet[integer(key, 2 + 2 * j, alphabet.length)] as string
    })
    return characters.join('')
  })
}

/** Some English, for words that come again. */
export const ENGLISH = [
  'The cat sat on the mat. The cat, it is said, likes the mat!',
  "A dog isn't a cat; the dog sat on a log. It's the dog's log.",
  'Newer and newest: lower, lowest, wider, widest. 10 cats, 100 dogs, 1000 logs.',
]
