import type { AskedQuestion } from '../../records/question.ts'
import { effect, effectKind } from './kinds/effect.ts'
import { interaction, interactionKind } from './kinds/interaction.ts'
import { pairs, pairsKind } from './kinds/pairs.ts'
import type { QuestionKind } from './types.ts'

/** What a study can be asked: `questions: [ask.effect('block'), ask.interaction('block', 'lr')]`. */
export const ask = { pairs, effect, interaction }

/** What answers each. */
export const QUESTIONS: Record<string, QuestionKind> = {
  pairs: pairsKind,
  effect: effectKind,
  interaction: interactionKind,
}

/** Whether a value is a question, made by `ask`. */
export function isQuestion(value: unknown): value is AskedQuestion {
  return typeof value === 'object' && value !== null && 'ask' in value && Object.hasOwn(QUESTIONS, String(value.ask))
}
