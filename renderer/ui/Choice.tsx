interface ChoiceProps<Value extends string> {
  label: string
  /** Values, each with what is said for it where that is not the value itself. */
  options: readonly (NoInfer<Value> | readonly [value: NoInfer<Value>, words: string])[]
  value: Value
  onChange(value: NoInfer<Value>): void
  testId?: string
  className?: string
  title?: string | undefined
  disabled?: boolean
}

/** A choice of one of several. */
export function Choice<Value extends string>({ label, options, onChange, testId, ...props }: ChoiceProps<Value>) {
  const { className = 'choice', title, ...select } = props
  return (
    <label className={className} title={title}>
      <span className="muted">{label}</span>
      <select {...select} onChange={({ target }) => onChange(target.value as Value)} data-testid={testId}>
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
