import { SPECIAL } from '../data/tokenizers/types.ts'
import type { MaskedText, MaskedToken } from '../records/report.ts'
import { softmax } from './softmax.ts'
import type { ReportCollector } from './types.ts'

/** Texts that are kept. */
const TEXTS = 8
/** Tokens named for each place. */
const LIKELY = 5

const NONE = new Int32Array()

/**
 * Reports what a model says to the masked tokens of the first texts, by its logits `[examples, places, vocabulary]`.
 * Of a batch it reads `input`, `[examples, tokens]`, and the `positions` in it that are asked for, the `target` that
 * stood there and `weights`, 0 for a place that is not used, all `[examples, places]`. `textOf` gives the text of a token.
 */
export function maskedTokens(tokens: number, textOf: (id: number) => string): ReportCollector {
  const texts: MaskedText[] = []
  return {
    add(logits, { input = NONE, positions = NONE, target = NONE, weights = NONE }) {
      const examples = input.length / tokens
      const places = positions.length / examples
      const vocabulary = logits.length / positions.length
      for (let i = 0; i < examples && texts.length < TEXTS; i++) {
        const ids = Array.from(input.subarray(i * tokens, (i + 1) * tokens))
        const masked: MaskedToken[] = []
        for (let row = i * places; row < (i + 1) * places; row++) {
          if (weights[row] === 0) continue
          const [place, token] = [positions[row] as number, textOf(target[row] as number)]
          const own = logits.subarray(row * vocabulary, (row + 1) * vocabulary)
          masked.push({ place, token, likely: likely(own, textOf) })
        }
        const end = ids.findLastIndex((id) => id !== SPECIAL.pad) + 1 // one in between was drawn in a token's place
        texts.push({ index: texts.length, tokens: ids.slice(0, end).map(textOf), masked })
      }
    },
    value: () => ({ kind: 'maskedTokens', texts }),
  }
}

/** The most likely tokens; the first of equals first. */
function likely(logits: Float32Array, textOf: (id: number) => string): MaskedToken['likely'] {
  const best: number[] = []
  logits.forEach((logit, id) => {
    const ahead = best.findIndex((other) => logit > (logits[other] as number))
    best.splice(ahead === -1 ? best.length : ahead, 0, id)
    if (best.length > LIKELY) best.pop()
  })
  const probability = softmax(logits)
  return best.map((id) => ({ token: textOf(id), probability: probability(id) }))
}
