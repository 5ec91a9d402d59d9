import { maskedTokens } from '../maskedTokens.ts'
import { placeOutcomes } from './placeOutcomes.ts'
import type { OutcomeCollector } from './types.ts'

/** Texts whose guesses are kept, and most tokens of all of them. */
const KEPT = { texts: 24, tokens: 2400, likely: 3 }

interface Masked {
  /** Length of a text. */
  tokens: number
  /** Tokens of it that are asked for. */
  places: number
  textOf(id: number): string
}

/** Outcomes of masked texts, and what was guessed for the first of them; batches and predictions are as for `maskedTokens`. */
export function maskedOutcomes({ tokens, places, textOf }: Masked): OutcomeCollector {
  const outcomes = placeOutcomes({ places, unit: 'masked tokens' })
  const guesses = maskedTokens(tokens, textOf, KEPT)
  return {
    add(logits, batch) {
      outcomes.add(logits, batch)
      guesses.add(logits, batch)
    },
    value: () => ({ ...outcomes.value(), guesses: guesses.value().texts }),
  }
}
