import { heap } from './heap.ts'

/** A piece of text as tokens, and how often it occurs. */
export interface CountedPiece {
  tokens: number[]
  count: number
}

/** Two tokens that stand side by side, as one number. */
export function pairOf(left: number, right: number): number {
  return left * 65_536 + right
}

/**
 * Learns at most `most` merges (Sennrich et al. 2016): each joins the most frequent pair of tokens, of equal ones that
 * with the smaller ids, to a new token, from the id `first` on. It ends early when no pair occurs twice. Changes
 * `pieces`.
 */
export function learnMerges(pieces: CountedPiece[], first: number, most: number): [number, number][] {
  const counts = new Map<number, number>()
  const within = new Map<number, Set<CountedPiece>>()
  // Counts in the heap may be too large: those of old pairs only fall, and are looked up when they come to the top.
  const next = heap<{ pair: number; count: number }>(
    (a, b) => a.count > b.count || (a.count === b.count && a.pair < b.pair),
  )

  const fresh = new Set<number>()
  function change(left: number | undefined, right: number | undefined, piece: CountedPiece, sign: 1 | -1): void {
    if (left === undefined || right === undefined) return
    const pair = pairOf(left, right)
    counts.set(pair, (counts.get(pair) ?? 0) + sign * piece.count)
    if (sign === -1) return
    fresh.add(pair)
    const places = within.get(pair)
    if (places) places.add(piece)
    else within.set(pair, new Set([piece]))
  }

  /** Joins the pair wherever it is in a piece, from the left on; only the pairs around it change. */
  function join(piece: CountedPiece, left: number, right: number, joined: number): void {
    const { tokens } = piece
    const merged: number[] = []
    for (let i = 0; i < tokens.length; i++) {
      if (tokens[i] !== left || tokens[i + 1] !== right) {
        merged.push(tokens[i] as number)
        continue
      }
      const [before, after] = [merged.at(-1), tokens[i + 2]]
      change(before, left, piece, -1)
      change(right, after, piece, -1)
      change(before, joined, piece, 1)
      change(joined, after, piece, 1)
      merged.push(joined)
      i += 1
    }
    piece.tokens = merged
  }

  function announce(): void {
    for (const pair of fresh) next.push({ pair, count: counts.get(pair) ?? 0 })
    fresh.clear()
  }

  for (const piece of pieces)
    for (const [i, token] of piece.tokens.entries()) change(piece.tokens[i - 1], token, piece, 1)
  announce()

  const merges: [number, number][] = []
  while (merges.length < most) {
    const top = next.pop()
    if (!top || top.count < 2) break
    const now = counts.get(top.pair) ?? 0
    if (now < top.count) {
      next.push({ pair: top.pair, count: now })
      continue
    }
    const [left, right] = [Math.floor(top.pair / 65_536), top.pair % 65_536]
    for (const piece of within.get(top.pair) ?? []) join(piece, left, right, first + merges.length)
    merges.push([left, right])
    counts.delete(top.pair)
    within.delete(top.pair)
    announce()
  }
  return merges
}
