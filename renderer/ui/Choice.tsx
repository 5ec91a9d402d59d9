/** A value, with what is said for it where that is not the value itself. */
export type ChoiceOption<Value extends string> = Value | readonly [value: Value, words: string]

/** Options that belong together. */
export interface ChoiceGroup<Value extends string> {
  heading: string
  options: readonly ChoiceOption<Value>[]
}

interface ChoiceProps<Value extends string> {
  label: string
  options: readonly (ChoiceOption<NoInfer<Value>> | ChoiceGroup<NoInfer<Value>>)[]
  value: Value
  onChange(value: NoInfer<Value>): void
  testId?: string
  className?: string
  title?: string | undefined
  disabled?: boolean
}

/** A choice of one of several. Groups without options are not shown. */
export function Choice<Value extends string>({ label, options, onChange, testId, ...props }: ChoiceProps<Value>) {
  const { className = 'choice', title, ...select } = props
  return (
    <label className={className} title={title}>
      <span className="muted">{label}</span>
      <select {...select} onChange={({ target }) => onChange(target.value as Value)} data-testid={testId}>
        {options.map((each) => {
          if (!isGroup(each)) return optionOf(each)
          if (each.options.length === 0) return null
          return (
            <optgroup key={each.heading} label={each.heading}>
              {each.options.map(optionOf)}
            </optgroup>
          )
        })}
      </select>
    </label>
  )
}

function isGroup<Value extends string>(each: ChoiceOption<Value> | ChoiceGroup<Value>): each is ChoiceGroup<Value> {
  return typeof each === 'object' && 'heading' in each
}

function optionOf(option: ChoiceOption<string>) {
  const [value, words] = typeof option === 'string' ? [option, option] : option
  return (
    <option key={value} value={value}>
      {words}
    </option>
  )
}
