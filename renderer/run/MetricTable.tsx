import { meaningText } from '../../engine/records/meaning.ts'
import type { MetricSummary } from '../../engine/records/run.ts'
import { cellText, columnTitle } from '../../engine/runs/format.ts'
import { lastOf } from '../compare/finals.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'

const HEADS = ['last', 'its step', 'best', 'step of the best', 'smallest', 'largest', 'points']

/** The summaries of the metrics of a run. */
export function MetricTable({ metrics, names }: { metrics: Record<string, MetricSummary>; names: string[] }) {
  if (names.length === 0) return <p className="muted">No values yet.</p>
  return (
    <ScrollBox label="values of the metrics">
      <table className="facts" data-testid="run-summaries">
        <thead>
          <tr>
            <th scope="col">metric</th>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <Line key={name} name={name} summary={metrics[name]} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Line({ name, summary }: { name: string; summary: MetricSummary | undefined }) {
  if (!summary) return null
  const { meaning = {} } = summary
  const column = lastOf(name, meaning)
  const text = (value: number) => cellText(column, value)
  const { last, lastStep, best, bestStep, min, max, count } = summary
  return (
    <tr>
      <th scope="row" title={meaningText(meaning)}>
        {columnTitle(column)}
      </th>
      <td className="number">{text(last)}</td>
      <td className="number">{lastStep}</td>
      <td className="number">{text(best)}</td>
      <td className="number">{bestStep}</td>
      <td className="number">{text(min)}</td>
      <td className="number">{text(max)}</td>
      <td className="number">{count}</td>
    </tr>
  )
}
