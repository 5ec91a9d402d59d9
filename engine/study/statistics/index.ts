export { looksText } from './anytime/plan.ts'
export { hasDiverged, outcomes } from './diverged.ts'
export type { PValue } from './family.ts'
export { marginProspect } from './margin/within.ts'
export { plural, prospect, significant } from './seeds.ts'
export type {
  Claim,
  ComparedRun,
  Diverged,
  Interval,
  Judgement,
  Look,
  Prospect,
  SeedPair,
  Verdict,
  VerdictsInput,
  Which,
  Within,
} from './types.ts'
export { verdicts } from './verdict.ts'
export { digitsFor, type Judged, moreText, type Saying, signedText } from './words.ts'
