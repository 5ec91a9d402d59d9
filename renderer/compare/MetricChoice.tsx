interface MetricChoiceProps {
  known: string[]
  chosen: string[]
  onChange(metrics: string[]): void
}

/** Which metrics are shown; they keep the order in which they are known. */
export function MetricChoice({ known, chosen, onChange }: MetricChoiceProps) {
  const toggle = (name: string) =>
    onChange(known.filter((each) => (each === name ? !chosen.includes(each) : chosen.includes(each))))
  return (
    <fieldset className="metric-choice">
      <legend className="hidden">metrics</legend>
      {known.map((name) => (
        <label key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> {name}
        </label>
      ))}
    </fieldset>
  )
}
