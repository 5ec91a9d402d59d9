import type { Finding } from '../study/questions/answers.ts'
import { type Interval, moreText, plural, type Verdict } from '../study/statistics/index.ts'
import type { VariantRow } from '../study/summary.ts'
import type { ClaimPart, ClaimSpec } from './claim.ts'
import type { PartPlan } from './plan.ts'
import { isAbout } from './plan.ts'
import { type ClaimVerdict, verdictOf } from './verdict.ts'

/** What a study came to, as `mixlab run --json` prints it. */
export interface StudyResult {
  study: string
  metric: string
  rows: VariantRow[]
  verdicts: Verdict[]
  answers?: { exploratory: string | null; findings: Finding[] }[]
  /** Milliseconds of training of all its runs. */
  ms: number
}

/** What a part of a claim came to. */
export interface PartResult extends Pick<ClaimPart, 'of' | 'expected' | 'figures'> {
  study: string
  metric: string
  plan: PartPlan
  verdict: ClaimVerdict
  /** Where that is *screening*: which variants do not pass their floors, and what the study shows nevertheless. */
  screening?: string
  shows?: ClaimVerdict
  /** What would decide it, where it is open: `about 12 more seeds would settle a difference of this size`. */
  needs?: string
  /** Seeds that were compared. */
  seeds: number
  /** Of the two variants that were compared, the first one first; left out where more runs are in the number. */
  means?: [number, number]
  /** In the unit of the metric; null where nothing was compared. */
  difference: number | null
  interval: Pick<Interval, 'low' | 'high'> | null
  sentence: string
}

/** The floor that is hardest to pass for a variant, in the metric that its study compares. */
export interface ArmFloor {
  name: string
  value: number
  better: 'higher' | 'lower'
}

/** The floors of a study, by variant; none where simple models have no value of its metric. */
export interface StudyFloors {
  /** As `FLOORS_VERSION`. */
  version: number
  of: Record<string, ArmFloor>
}

/** What a ready notebook came to: the file beside it. */
export interface Results {
  /** The version of Mixlab, the backend and the numerics that trained it. */
  version: string
  backend: string
  numerics: number
  /** Seconds of training of all its runs, on `threads` threads. */
  seconds: number
  threads: number
  studies: (Pick<StudyResult, 'study' | 'metric' | 'rows'> & {
    verdicts: Compared[]
    /** What it answers to its questions, in sentences. */
    answers?: string[]
    /** What simple models reach on its data; left out of studies that are of no claim. */
    floors?: StudyFloors | undefined
  })[]
  claim?: ClaimResult
}

/** A comparison in words. */
export type Compared = Pick<Verdict, 'variant' | 'baseline' | 'sentence'>

export interface ClaimResult extends Pick<ClaimSpec, 'paper' | 'where' | 'minutes'> {
  /** The heading of the notebook. */
  question: string
  pilot: readonly number[]
  parts: PartResult[]
  /** The studies that are not trained yet; left out where all are. */
  left?: string[]
}

/** What the studies of a notebook show of a part of its claim. Throws where they do not have it. */
export function resultOfPart(part: ClaimPart, plan: PartPlan, studies: readonly StudyResult[]): PartResult {
  const {
    study: { name: study },
    spread: _,
    ...said
  } = part
  const found = studies.find((each) => each.study === study)
  const decided = found && decidedIn(part.of, found)
  if (!decided) throw new Error(`${study}: nothing came out of '${part.of}'`)
  const { difference, interval, sentence, wins, ties, losses } = decided.judgement
  const means = meansOf(decided.variants, found.rows)
  const verdict = verdictOf(part.expected, { ...decided.judgement, exploratory: decided.exploratory })
  return {
    study,
    ...said,
    metric: found.metric,
    plan,
    verdict,
    ...(verdict === 'open' && { needs: needsText(decided) }),
    seeds: wins + ties + losses,
    ...(means && { means }),
    difference,
    interval,
    sentence,
  }
}

/** What would decide what is open. */
function needsText({ exploratory, judgement }: DecidedPart): string {
  return exploratory === null ? moreText(judgement) : `${exploratory}; it takes seeds that were not looked at`
}

interface DecidedPart {
  judgement: Verdict | Finding
  variants: readonly string[]
  exploratory: string | null
}

function decidedIn(of: string, { verdicts, answers = [] }: StudyResult): DecidedPart | undefined {
  const verdict = verdicts.find(({ variant }) => variant === of)
  if (verdict)
    return {
      judgement: verdict,
      variants: [verdict.baseline, of],
      exploratory: undecided(verdict.exploratory, verdict),
    }
  const [found] = answers.flatMap(({ findings, exploratory }) =>
    findings
      .filter((finding) => isAbout(finding, of))
      .map((judgement) => ({ judgement, exploratory: undecided(exploratory, judgement) })),
  )
  return found && { ...found, variants: found.judgement.variants }
}

/** Why a judgement decides nothing; null where it does. */
function undecided(exploratory: string | null, { interim }: Pick<Verdict, 'interim'>): string | null {
  return exploratory ?? (interim && `${interim.done} of ${plural(interim.planned, 'planned seed')} are done`)
}

function meansOf(variants: readonly string[], rows: readonly VariantRow[]): [number, number] | null {
  const [first, second] = variants.map((name) => rows.find(({ variant }) => variant === name)?.mean ?? null)
  return variants.length === 2 && first != null && second != null ? [first, second] : null
}
