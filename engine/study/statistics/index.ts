export { plural, prospect } from './seeds.ts'
export type { Claim, ComparedRun, Interval, Prospect, SeedPair, Verdict, VerdictsInput, Which } from './types.ts'
export { verdicts } from './verdict.ts'
export { digitsFor, signedText } from './words.ts'
