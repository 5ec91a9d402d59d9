import { meaningText } from '../../engine/records/meaning.ts'
import type { MetricSummary } from '../../engine/records/run.ts'
import { cellText, columnTitle } from '../../engine/runs/format.ts'
import { lastOf } from '../compare/finals.ts'
import { Head } from '../ui/Head.tsx'
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
            <Head>metric</Head>
            {HEADS.map((head) => (
              <Head key={head} number>
                {head}
              </Head>
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
      {[text(last), lastStep, text(best), bestStep, text(min), text(max), count].map((value, i) => (
        <td key={HEADS[i]} className="number">
          {value}
        </td>
      ))}
    </tr>
  )
}
