import { useMemo } from 'react'
import { toCsv } from '../../engine/display/csv.ts'
import { messageOf } from '../../engine/errors.ts'
import { saveBytes } from '../host/saveBytes.ts'
import type { QueryChart, QueryView } from '../protocol/output.ts'
import { Button } from '../ui/Button.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Icon } from '../ui/Icon.tsx'
import { notify } from '../ui/notices.ts'
import { ChartChoice } from './ChartChoice.tsx'
import { FigureBody } from './FigureBody.tsx'
import { firstChart, queryMarks } from './queryMarks.ts'

export interface QueryAnswerProps {
  id: string
  query: QueryView
  onChart(chart: QueryChart | null): void
}

/** Rows as a table or as a chart, and their way out as CSV. */
export function QueryAnswer({ id, query, onChart }: QueryAnswerProps) {
  const { columns, rows, truncated, at, chart } = query
  const marks = useMemo(() => (chart ? queryMarks(query, chart) : null), [query, chart])
  const possible = firstChart(query)
  const count = `${truncated ? 'the first ' : ''}${rows.length} row${rows.length === 1 ? '' : 's'}`
  return (
    <>
      <div className="query-head">
        <span className="muted">{`${count}, asked ${new Date(at).toLocaleString()}`}</span>
        {truncated && <span className="warn">There are more; limit or group them in the query.</span>}
        <span className="spacer" />
        <fieldset className="switch" aria-label="show as">
          <Button look="small" aria-pressed={!chart} onClick={() => onChart(null)}>
            Table
          </Button>
          <Button
            look="small"
            aria-pressed={chart !== null}
            disabled={!possible}
            title={possible ? undefined : 'A chart needs a column of numbers.'}
            onClick={() => onChart(chart ?? possible)}
          >
            Chart
          </Button>
        </fieldset>
        <Button look="small" onClick={() => void exportCsv(id, query)} testId="csv">
          <Icon name="export" /> CSV
        </Button>
      </div>
      {chart && <ChartChoice columns={columns} chart={chart} onChange={onChart} />}
      {chart && marks && 'figure' in marks && <FigureBody figure={marks.figure} label={`chart of ${id}`} />}
      {chart && marks && 'problem' in marks && <p className="bad">{marks.problem}</p>}
      {!chart && columns.length > 0 && (
        <DataTable columns={columns} rows={rows} total={rows.length} label={`answer to ${id}`} />
      )}
    </>
  )
}

async function exportCsv(id: string, { columns, rows }: QueryView): Promise<void> {
  const name = `${id.replace(/[^\w.-]+/g, '_')}.csv`
  try {
    await saveBytes(name, new TextEncoder().encode(toCsv(columns, rows)))
  } catch (error) {
    notify({ tone: 'bad', text: `${name} was not saved: ${messageOf(error)}` })
  }
}
