export { type ArmRow, armRows, floorsText, isSaturated, shortfallsOf, shortfallText } from '../floors/shortTraining.ts'
export { chanceOf, failureBound, hasDiverged, outcomes } from './failures.ts'
export type { PValue } from './family.ts'
export type * from './judgement.ts'
export { PART_KINDS } from './judgement.ts'
export { marginProspect, prospect } from './power.ts'
export {
  digitsFor,
  type Judged,
  levelText,
  moreText,
  type NamedSides,
  plural,
  sentenceOf,
  signedText,
  significant,
  withParts,
} from './sentences.ts'
export { looksText } from './sequentialTest.ts'
export { verdicts } from './verdict.ts'
