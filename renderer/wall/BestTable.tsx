import { useMemo } from 'react'
import { cellText, columnTitle, isNumeric } from '../../engine/runs/format.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Panel } from '../../engine/runs/wall.ts'
import { runHash } from '../ui/route.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import { meaningOf } from './chartOf.ts'
import { bestRuns, columnOf, columnsOf } from './rows.ts'
import { pick } from './state.ts'
import type { Drawn } from './types.ts'

const MOST = 50

/** The best runs by a column; those that are picked are drawn on top of the curves. */
export function BestTable({ panel, fields, drawn }: { panel: Panel; fields: RunFields; drawn: Drawn }) {
  const { metric } = panel
  const { rows, error } = drawn.rows
  const { hidden } = drawn.looks
  const lower = meaningOf(metric, fields)?.better === 'lower'
  const best = useMemo(() => {
    const seen = rows?.filter(({ group }) => !hidden.has(group)) ?? []
    return bestRuns(seen, metric, lower, MOST)
  }, [rows, hidden, metric, lower])
  const columns = columnsOf(panel, fields).flatMap((name) => {
    const column = columnOf(name, fields)
    return column ? [{ name, column }] : []
  })
  return (
    <div className="wall-chart" aria-busy={rows === null}>
      {error && <p className="bad">{error}</p>}
      {rows && best.length === 0 ? (
        <p className="wall-said muted">No values.</p>
      ) : (
        <ScrollBox label={`the best runs by ${metric}`}>
          <table className="data-table wall-best">
            <thead>
              <tr>
                <th scope="col">on top</th>
                <th scope="col">run</th>
                <th scope="col">variant</th>
                <th scope="col">seed</th>
                {columns.map(({ name, column }) => (
                  <th key={name} scope="col" className={isNumeric(column) ? 'number' : undefined}>
                    {columnTitle(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {best.map(({ run, study, variant, seed, values }) => (
                <tr key={run}>
                  <td>
                    <input
                      type="checkbox"
                      checked={drawn.picked.includes(run)}
                      aria-label={`Draw run ${run} on top`}
                      title="Draw on top of the curves"
                      onChange={({ target }) => pick(run, target.checked)}
                    />
                  </td>
                  <td>
                    <a href={runHash(run)}>{run}</a>
                  </td>
                  <td title={`${study}: ${variant}`}>{variant}</td>
                  <td>{seed}</td>
                  {columns.map(({ name, column }) => (
                    <td key={name} className={isNumeric(column) ? 'number' : undefined}>
                      {cellText(column, values[name] ?? null)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </div>
  )
}
