interface ChoiceProps {
  label: string
  /** Values with what is said for them. */
  options: readonly (readonly [value: string, words: string])[]
  value: string
  onChange(value: string): void
}

/** A choice of one of several. */
export function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <label className="weights-choice">
      <span className="muted">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
