import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { isStudy, type Study } from '../study/compare.ts'
import { seedList } from '../study/seeds.ts'
import { PAPERS, type PaperName } from './papers.ts'
import { EXPECTED, type Expected } from './verdict.ts'

/** One thing that a claim says, which a study decides. */
export interface ClaimPart {
  study: Study
  /**
   * What of the study decides it: a variant, which is compared to the first one, or the name of what a question asks, as its
   * sentence begins, e.g. `order permuted instead of plain at block mixer`.
   */
  of: string
  /** What would be found if the paper is right: of a metric `better` or `worse`, of a slope `more` or `less` than 0, or `equal`. */
  expected: Expected
  /** The paper's own figures, e.g. `perplexity 5.14 against 4.35`. */
  figures: string
  /**
   * The standard deviation between pilot seeds, on validation, of the number that is tested, in the unit of the metric; 0 of
   * what is counted, such as multiply-adds.
   */
  spread: number
}

/** What a paper claims, where, and what decides it here. */
export interface ClaimSpec {
  paper: PaperName
  /** Where in the paper: `table 3`, `section 3.4, figure 4`. */
  where: string
  /** The seeds that the plan was made with; none of them is a seed of a study that decides. */
  pilot: readonly number[]
  /** The minutes that the plan allows, on two cores. */
  minutes: number
  parts: readonly ClaimPart[]
}

export interface Claim extends ClaimSpec {
  readonly kind: 'claim'
}

const spec = z.strictObject({
  paper: z.enum(Object.keys(PAPERS) as [PaperName, ...PaperName[]]),
  where: z.string().min(1),
  pilot: z.array(z.int().min(0)).min(1),
  minutes: z.number().positive(),
  parts: z
    .array(
      z.strictObject({
        study: z.custom<Study>(isStudy, 'a study, made by compare()'),
        of: z.string().min(1),
        expected: z.enum(EXPECTED),
        figures: z.string(),
        spread: z.number().min(0),
      }),
    )
    .min(1),
})

/**
 * A claim of a paper, and what decides it: parts of studies whose margin, the smallest difference that matters, and whose
 * number of seeds are fixed. Nothing is trained by it; `npm run experiments` reads its verdict off the studies. Throws
 * MixlabError `option`.
 */
export function claim(given: ClaimSpec): Claim {
  const { parts, pilot } = parseOptions(spec, given, 'claim')
  for (const [i, { study }] of parts.entries()) {
    const { margin, seeds } = study.spec
    const fail = (what: string) => new MixlabError('option', `claim.parts.${i}.study`, `'${study.name}' ${what}`)
    if (margin === undefined) throw fail('has no margin, the smallest difference that matters')
    if (seeds === undefined) throw fail('does not say its seeds')
    const seen = seedList(seeds).find((seed) => pilot.includes(seed))
    if (seen !== undefined) throw fail(`has seed ${seen}, which the plan was made with`)
  }
  return { kind: 'claim', ...given }
}

export function isClaim(value: unknown): value is Claim {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'claim'
}
