/** Characters of text that a vocabulary is learned from: the first ones. */
export const SAMPLE = 4 * 2 ** 20

/** How often each piece that `pattern` matches occurs in the sample, in the order of their first occurrence. */
export async function countPieces(
  texts: AsyncIterable<string> | Iterable<string>,
  pattern: RegExp,
  normalise: (piece: string) => string,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let left = SAMPLE
  for await (const text of texts) {
    for (const [match] of text.slice(0, left).matchAll(pattern)) {
      const piece = normalise(match)
      counts.set(piece, (counts.get(piece) ?? 0) + 1)
    }
    left -= text.length
    if (left <= 0) break
  }
  return counts
}
