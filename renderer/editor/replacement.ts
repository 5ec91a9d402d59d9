/** What makes one text another: `text` in place of what is from `start` to `end`. */
export interface Replacement {
  start: number
  end: number
  text: string
}

/** The smallest replacement, without cutting a character of two UTF-16 units in half. */
export function replacement(before: string, after: string): Replacement {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  if (/[\uD800-\uDBFF]/.test(before[start - 1] ?? '')) start--
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++
  if (same > 0 && /[\uDC00-\uDFFF]/.test(before.at(-same) ?? '')) same--
  return { start, end: before.length - same, text: after.slice(start, after.length - same) }
}
