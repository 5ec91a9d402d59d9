import type { ValueChoice } from './values.ts'

interface ValueSelectProps {
  choice: ValueChoice
  /** Steps that the runs have at most. */
  steps: number
  onChange(choice: ValueChoice): void
}

/** Which value of the metric the table compares. */
export function ValueSelect({ choice, steps, onChange }: ValueSelectProps) {
  return (
    <span className="value-select">
      <select
        aria-label="value that is compared"
        value={typeof choice === 'number' ? 'step' : choice}
        onChange={({ target }) => onChange(target.value === 'step' ? steps : (target.value as 'last' | 'best'))}
        data-testid="value"
      >
        <option value="last">last</option>
        <option value="best">best</option>
        <option value="step">at step</option>
      </select>
      {typeof choice === 'number' && (
        <input
          type="number"
          aria-label="step"
          min={0}
          max={steps}
          value={choice}
          onChange={({ target }) => onChange(Math.max(0, Math.round(target.valueAsNumber || 0)))}
        />
      )}
    </span>
  )
}
