import type { KeptWeights } from '../../engine/records/store.ts'
import { stepsOf } from './kept.ts'

interface StepSliderProps {
  /** Of each run, which weights there are. */
  kept: readonly KeptWeights[][]
  /** The step shown. */
  step: number
  onChange(step: number): void
}

/** Goes through the steps at which there are weights. */
export function StepSlider({ kept, step, onChange }: StepSliderProps) {
  const steps = stepsOf(kept)
  if (steps.length < 2) {
    return <p className="muted">{'These are the only weights; train: { snapshots: 8 } keeps some on the way.'}</p>
  }
  const place = Math.max(
    0,
    steps.findLastIndex((each) => each <= step),
  )
  return (
    <label className="choice">
      <span className="muted">step</span>
      <input
        type="range"
        min={0}
        max={steps.length - 1}
        value={place}
        onChange={({ target }) => onChange(steps[Number(target.value)] ?? 0)}
        aria-valuetext={`step ${steps[place]}`}
      />
      <output>{steps[place]}</output>
    </label>
  )
}
