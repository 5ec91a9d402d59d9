export type { PValue } from './family.ts'
export { plural, prospect, significant } from './seeds.ts'
export type {
  Claim,
  ComparedRun,
  Interval,
  Judgement,
  Prospect,
  SeedPair,
  Verdict,
  VerdictsInput,
  Which,
} from './types.ts'
export { verdicts } from './verdict.ts'
export { digitsFor, type Judged, type Saying, signedText } from './words.ts'
