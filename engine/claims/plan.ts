import { MixlabError, suggest } from '../errors.ts'
import type { StudyDesign } from '../records/design.ts'
import { askedOf } from '../study/questions/asked.ts'
import { QUESTIONS } from '../study/questions/index.ts'
import { equalPower } from '../study/statistics/margin/power.ts'
import { power } from '../study/statistics/power.ts'
import { ALPHA } from '../study/statistics/seeds.ts'
import { studiesWith } from '../study/statistics/together.ts'
import type { ClaimPart } from './claim.ts'

/** What a study is planned to decide of a part of a claim. Amounts are in the unit of the metric. */
export interface PartPlan {
  seeds: number
  /** The smallest difference that matters. */
  margin: number
  /** The standard deviation between pilot seeds of the number that is tested. */
  spread: number
  /** The probability that a difference as large as the margin is shown. */
  power: number
  /** The probability that it is shown to be equal within the margin, where there is no difference. */
  equalPower: number
}

type Designed = Pick<
  StudyDesign,
  'study' | 'variants' | 'runs' | 'questions' | 'correction' | 'together' | 'margin' | 'metric'
>

/** The plan of a part of a claim in its study as designed. Throws MixlabError `option` where the study does not ask it. */
export function planOfPart({ of, spread }: Pick<ClaimPart, 'of' | 'spread'>, design: Designed): PartPlan {
  const tested = testedWith(of, design)
  const seeds = new Set(design.runs.map(({ seed }) => seed)).size
  const margin = design.margin ?? Number.NaN // claim() has looked
  const level = ALPHA / (tested * studiesWith(design))
  return {
    ...{ seeds, margin, spread },
    power: power(margin / spread, seeds, level),
    equalPower: equalPower(margin / spread, seeds, level),
  }
}

/** How many numbers are tested together with what decides a part. */
function testedWith(of: string, { study, variants, questions, correction }: Designed): number {
  if (!questions) {
    const names = variants.slice(1).map(({ variant }) => variant)
    if (names.includes(of)) return names.length
    throw unknown(study, of, names)
  }
  const asked = askedOf(study, variants)
  const all = questions.map((question) => QUESTIONS[question.ask]?.contrasts(question, asked).map(({ name }) => name))
  const names = all.flatMap((each) => each ?? [])
  const own = all.find((each) => each?.includes(of))
  if (!own) throw unknown(study, of, names)
  return correction === 'holm' ? names.length : own.length
}

function unknown(study: string, of: string, known: string[]): MixlabError {
  return new MixlabError('option', 'claim.parts.of', `'${of}' is not asked by '${study}'${suggest(of, known)}`)
}
