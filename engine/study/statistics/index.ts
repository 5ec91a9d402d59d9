export { looksText } from './anytime/plan.ts'
export { chanceOf, failureBound, hasDiverged, outcomes } from './failures.ts'
export type { PValue } from './family.ts'
export { marginProspect, plural, prospect, significant } from './seeds.ts'
export type {
  Claim,
  ComparedRun,
  FailedSeeds,
  Failures,
  Interim,
  Interval,
  Judgement,
  Look,
  Parts,
  Prospect,
  SeedPair,
  Verdict,
  VerdictsInput,
  Which,
  Within,
} from './types.ts'
export { verdicts } from './verdict.ts'
export { digitsFor, type Judged, levelText, moreText, type Said, type Saying, signedText } from './words.ts'
