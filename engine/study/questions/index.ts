import { MixlabError, quoted } from '../../errors.ts'
import type { AskedQuestion } from '../../records/question.ts'
import { best, bestKind } from './kinds/best.ts'
import { crossing, crossingKind } from './kinds/crossing.ts'
import { effect, effectKind } from './kinds/effect.ts'
import { everyData, everyDataKind } from './kinds/everyData.ts'
import { interaction, interactionKind } from './kinds/interaction.ts'
import { pairs, pairsKind } from './kinds/pairs.ts'
import { powerLaw, powerLawKind } from './kinds/powerLaw.ts'
import { simple, simpleKind } from './kinds/simple.ts'
import { slope, slopeKind } from './kinds/slope.ts'
import { trend, trendKind } from './kinds/trend.ts'
import type { QuestionKind } from './types.ts'

/** What a study can be asked: `questions: [ask.effect('block'), ask.interaction('block', 'lr')]`. */
export const ask = { pairs, effect, interaction, simple, best, everyData, slope, trend, powerLaw, crossing }

/** What answers each. */
export const QUESTIONS: Record<string, QuestionKind> = {
  pairs: pairsKind,
  effect: effectKind,
  interaction: interactionKind,
  simple: simpleKind,
  best: bestKind,
  everyData: everyDataKind,
  slope: slopeKind,
  trend: trendKind,
  powerLaw: powerLawKind,
  crossing: crossingKind,
}

/** What answers a question. Throws MixlabError `option` for one of an unknown kind, as of another version. */
export function kindOf({ ask }: AskedQuestion): QuestionKind {
  const kind = Object.hasOwn(QUESTIONS, ask) ? QUESTIONS[ask] : undefined
  if (kind) return kind
  throw new MixlabError('option', 'questions', `${quoted(ask)} is an unknown kind of question`)
}

/** Whether a value is a question, made by `ask`. */
export function isQuestion(value: unknown): value is AskedQuestion {
  return typeof value === 'object' && value !== null && 'ask' in value && Object.hasOwn(QUESTIONS, String(value.ask))
}
