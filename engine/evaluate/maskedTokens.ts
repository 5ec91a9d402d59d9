import { SPECIAL } from '../data/tokenizers/types.ts'
import type { MaskedText, MaskedToken, MaskedTokensReport } from '../records/report.ts'
import { softmax } from './softmax.ts'
import type { ReportCollector } from './types.ts'

/** How much is kept. */
interface Kept {
  /** Texts; fewer where they have more than so many `tokens`. */
  texts: number
  tokens: number
  /** Tokens named for each place. */
  likely: number
}

/** What is in the report of a run. */
const REPORTED = { texts: 8, tokens: Number.POSITIVE_INFINITY, likely: 5 }

const NONE = new Int32Array()

/**
 * Reports what a model says to the masked tokens of the first texts, by its logits `[examples, places, vocabulary]`.
 * Of a batch it reads `input`, `[examples, tokens]`, and the `positions` in it that are asked for, the `target` that
 * stood there and `weights`, 0 for a place that is not used, all `[examples, places]`. `textOf` gives the text of a token.
 */
export function maskedTokens(
  tokens: number,
  textOf: (id: number) => string,
  kept: Kept = REPORTED,
): ReportCollector<MaskedTokensReport> {
  const texts: MaskedText[] = []
  const most = Math.min(kept.texts, Math.floor(kept.tokens / tokens))
  return {
    add(logits, { input = NONE, positions = NONE, target = NONE, weights = NONE }) {
      const examples = input.length / tokens
      const places = positions.length / examples
      const vocabulary = logits.length / positions.length
      for (let i = 0; i < examples && texts.length < most; i++) {
        const ids = Array.from(input.subarray(i * tokens, (i + 1) * tokens))
        const masked: MaskedToken[] = []
        for (let row = i * places; row < (i + 1) * places; row++) {
          if (weights[row] === 0) continue
          const [place, token] = [positions[row] as number, textOf(target[row] as number)]
          const own = logits.subarray(row * vocabulary, (row + 1) * vocabulary)
          masked.push({ place, token, likely: likely(own, textOf, kept.likely) })
        }
        const end = ids.findLastIndex((id) => id !== SPECIAL.pad) + 1 // one in between was drawn in a token's place
        texts.push({ index: texts.length, tokens: ids.slice(0, end).map(textOf), masked })
      }
    },
    value: () => ({ kind: 'maskedTokens', texts }),
  }
}

/** The most likely tokens; the first of equals first. */
function likely(logits: Float32Array, textOf: (id: number) => string, most: number): MaskedToken['likely'] {
  const best: number[] = []
  logits.forEach((logit, id) => {
    const ahead = best.findIndex((other) => logit > (logits[other] as number))
    best.splice(ahead === -1 ? best.length : ahead, 0, id)
    if (best.length > most) best.pop()
  })
  const probability = softmax(logits)
  return best.map((id) => ({ token: textOf(id), probability: probability(id) }))
}
