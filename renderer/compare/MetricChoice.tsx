import { meaningIn } from '../../engine/records/meaning.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { metricTitle } from '../../engine/records/splits.ts'
import { Button } from '../ui/Button.tsx'

interface MetricChoiceProps {
  known: string[]
  chosen: string[]
  runs: readonly Pick<StoredRunDetails, 'metrics'>[]
  onChange(metrics: string[]): void
}

/** Which metrics are shown; they keep the order in which they are known. */
export function MetricChoice({ known, chosen, runs, onChange }: MetricChoiceProps) {
  const toggle = (name: string) =>
    onChange(known.filter((each) => (each === name ? !chosen.includes(each) : chosen.includes(each))))
  const all = chosen.length === known.length
  return (
    <fieldset className="metric-choice">
      <legend className="hidden">metrics</legend>
      <Button look="small" testId="all-metrics" onClick={() => onChange(all ? [] : known)}>
        {all ? 'None' : 'All'}
      </Button>
      {known.map((name) => (
        <label key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />{' '}
          {metricTitle(name, name, meaningIn(runs, name).exploratory)}
        </label>
      ))}
    </fieldset>
  )
}
