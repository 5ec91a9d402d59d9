import type { StudyPlan } from '../../records/design.ts'
import { plural } from '../statistics/sentences.ts'
import { seedsText } from './seedsText.ts'

/**
 * A plan in words, beside what came out: `planned 2026-11-24: seeds 1 to 12, gated against plain by test/accuracy`; null for
 * one of before the store kept when.
 */
export function plannedText({ at, metric, variants, seeds, questions = [], departs }: StudyPlan): string | null {
  if (at === null) return null
  const [first = '', ...others] = variants
  const compared = others.length === 1 ? others[0] : plural(others.length, 'variant')
  const pairs = others.length === 0 ? first : `${compared} against ${first}`
  const what =
    questions.length > 0 ? `${plural(variants.length, 'variant')}, ${plural(questions.length, 'question')}` : pairs
  const later = departs.length > 0 ? '; changed later' : ''
  return `planned ${new Date(at).toISOString().slice(0, 10)}: ${seedsText(seeds)}, ${what}, by ${metric}${later}`
}
