import { MixlabError, suggest } from '../errors.ts'
import type { StudyDesign } from '../records/design.ts'
import { askedOf } from '../study/questions/asked.ts'
import { kindOf } from '../study/questions/index.ts'
import type { Contrast } from '../study/questions/types.ts'
import { studiesWith } from '../study/statistics/family.ts'
import { equalPower, power } from '../study/statistics/power.ts'
import { ALPHA } from '../study/statistics/signFlip.ts'
import { askedVariants } from '../study/tuning/kept.ts'
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

/** In standard deviations, an effect that is as good as one without any spread. */
const LARGEST = 1000

type Designed = Pick<
  StudyDesign,
  'study' | 'variants' | 'runs' | 'questions' | 'correction' | 'together' | 'margin' | 'metric' | 'tuned'
>

/** The plan of a part of a claim in its study as designed. Throws MixlabError `option` where the study does not ask it. */
export function planOfPart({ of, spread }: Pick<ClaimPart, 'of' | 'spread'>, design: Designed): PartPlan {
  const { tested } = askedOfPart(of, design)
  const seeds = new Set(design.runs.map(({ seed }) => seed)).size
  const margin = design.margin ?? Number.NaN // claim() has looked
  const level = ALPHA / (tested * studiesWith(design))
  const effect = Math.min(margin / spread, LARGEST)
  return {
    ...{ seeds, margin, spread },
    power: power(effect, seeds, level),
    equalPower: equalPower(effect, seeds, level),
  }
}

/**
 * The number that is tested of a part, from the values of the runs of one seed, by the names of their variants; NaN where
 * they have none. Throws as `planOfPart`.
 */
export function numberOfPart(of: string, design: Designed, value: (variant: string) => number): number {
  return askedOfPart(of, design).contrast.of(value) ?? Number.NaN
}

/** Whether a number is the one that a part names: by its name, or of a pair by that of its variant. */
export function isAbout({ name }: { name: string }, of: string): boolean {
  return name === of || name.startsWith(`${of} against `)
}

/** The variants that decide a part of a claim. Throws as `planOfPart`. */
export function variantsOfPart(of: string, design: Designed): readonly string[] {
  return askedOfPart(of, design).contrast.variants
}

type Asks = Pick<Contrast, 'name' | 'of' | 'variants'>

/** What decides a part, and how many numbers are tested together with it. */
function askedOfPart(of: string, design: Designed): { contrast: Asks; tested: number } {
  const groups = contrastsOf(design)
  const all = groups.flat()
  const own = groups.find((group) => group.some((each) => isAbout(each, of)))
  const contrast = own?.find((each) => isAbout(each, of))
  if (own && contrast) return { contrast, tested: design.correction === 'holm' ? all.length : own.length }
  const names = all.map(({ name }) => name)
  throw new MixlabError('option', 'claim.parts.of', `'${of}' is not asked by '${design.study}'${suggest(of, names)}`)
}

/** What a study asks, by question; without questions, each variant against the first one. */
function contrastsOf({ study, variants, questions, tuned }: Designed): Asks[][] {
  if (questions) {
    const asked = askedOf(study, askedVariants(variants, tuned))
    return questions.map((question) => kindOf(question).contrasts(question, asked))
  }
  const [baseline, ...others] = variants.map(({ variant }) => variant)
  return [
    others.map((name) => ({
      name,
      variants: [name, baseline ?? ''],
      of: (value) => value(name) - value(baseline ?? ''),
    })),
  ]
}
