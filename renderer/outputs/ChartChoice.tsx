import type { QueryChart } from '../protocol/output.ts'

interface ChartChoiceProps {
  columns: string[]
  chart: QueryChart
  onChange(chart: QueryChart): void
}

const MARKS: QueryChart['mark'][] = ['line', 'scatter', 'bar']

/** Which columns a chart draws, and how. */
export function ChartChoice({ columns, chart, onChange }: ChartChoiceProps) {
  const { mark, x, y, color } = chart
  return (
    <div className="chart-choice">
      <Choice
        label="as"
        value={mark}
        options={MARKS}
        onChange={(value) => onChange({ ...chart, mark: value as typeof mark })}
      />
      <Choice label="x" value={x} none="row" options={columns} onChange={(value) => onChange({ ...chart, x: value })} />
      <Choice label="y" value={y} options={columns} onChange={(value) => onChange({ ...chart, y: value ?? y })} />
      <Choice
        label="colour"
        value={color}
        none="none"
        options={columns}
        onChange={(value) => onChange({ ...chart, color: value })}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string | null
  /** What null is called; left out where something must be chosen. */
  none?: string
  options: string[]
  onChange(value: string | null): void
}

function Choice({ label, value, none, options, onChange }: ChoiceProps) {
  // Option 0 is null: a column may have any name.
  const index = value === null ? 0 : options.indexOf(value) + 1
  return (
    <label>
      <span className="muted">{label}</span>
      <select
        value={index}
        data-testid={`chart-${label}`}
        onChange={({ target }) => onChange(options[Number(target.value) - 1] ?? null)}
      >
        {none !== undefined && <option value={0}>{none}</option>}
        {[...new Set(options)].map((name) => (
          <option key={name} value={options.indexOf(name) + 1}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
