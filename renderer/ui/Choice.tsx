interface ChoiceProps<Value extends string> {
  label: string
  /** Values, each with what is said for it where that is not the value itself. */
  options: readonly (NoInfer<Value> | readonly [value: NoInfer<Value>, words: string])[]
  value: Value
  onChange(value: NoInfer<Value>): void
  testId?: string
}

/** A choice of one of several. */
export function Choice<Value extends string>({ label, options, value, onChange, testId }: ChoiceProps<Value>) {
  return (
    <label className="choice">
      <span className="muted">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value as Value)} data-testid={testId}>
        {options.map((option) => {
          const [each, words] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={each} value={each}>
              {words}
            </option>
          )
        })}
      </select>
    </label>
  )
}
