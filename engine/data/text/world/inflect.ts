const PLURALS: Record<string, string> = { person: 'people' }

/** The plural of a noun of this world: `trophy` gives `trophies`. */
export function pluralOf(noun: string): string {
  return PLURALS[noun] ?? withS(noun)
}

/** The past, and the participle, of a verb of this world; all are regular. */
export function past(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
}

/** `a` or `an` before `word`, with it. */
export function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

function withS(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|sh|ch|x)$/.test(word) ? `${word}es` : `${word}s`
}
