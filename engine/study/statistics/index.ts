export { chanceOf, failureBound, hasDiverged, outcomes } from './failures.ts'
export type { PValue } from './family.ts'
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
  Saying,
  SeedPair,
  Verdict,
  VerdictsInput,
  Which,
  Within,
} from './judgement.ts'
export { PART_KINDS, type PartKind } from './judgement.ts'
export { marginProspect, prospect } from './power.ts'
export {
  afterClaim,
  digitsFor,
  type Judged,
  levelText,
  moreText,
  plural,
  type Sides,
  sentenceOf,
  signedText,
  significant,
  withParts,
} from './sentences.ts'
export { looksText } from './sequentialTest.ts'
export { verdicts } from './verdict.ts'
