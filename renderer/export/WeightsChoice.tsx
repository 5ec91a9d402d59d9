import type { RequestedWeights } from '../../engine/records/tested.ts'
import { Choice } from '../ui/Choice.tsx'

interface WeightsChoiceProps {
  /** As `weightsOf` gives them. */
  weights: readonly [RequestedWeights, string][]
  value: RequestedWeights
  onChange(asked: RequestedWeights): void
  testId: string
}

/** Which weights of a run, or of several, are taken. */
export function WeightsChoice({ weights, value, onChange, testId }: WeightsChoiceProps) {
  return (
    <Choice
      label="weights"
      testId={testId}
      options={weights.map(([each, words]) => [String(each), words])}
      value={String(value)}
      onChange={(name) => onChange(weights.find(([each]) => String(each) === name)?.[0] ?? 'tested')}
    />
  )
}
