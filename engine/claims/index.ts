export { type Claim, type ClaimPart, type ClaimSpec, claim, isClaim } from './claim.ts'
export { LEFT_OUT } from './leftOut.ts'
export { PAPERS, type Paper, type PaperName } from './papers.ts'
export { numberOfPart, type PartPlan, planOfPart, variantsOfPart } from './plan.ts'
export {
  type ArmFloor,
  type ClaimResult,
  type Compared,
  type PartResult,
  type Results,
  resultOfPart,
  type StudyFloors,
  type StudyResult,
} from './results.ts'
export { belowFloors, withFloors } from './screening.ts'
export { costText, foundText, planText, verdictText } from './text.ts'
export { type ClaimVerdict, EXPECTED, type Expected, VERDICTS, verdictOf } from './verdict.ts'
