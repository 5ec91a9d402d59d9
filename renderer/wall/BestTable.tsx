import { useMemo } from 'react'
import { type GroupedRun, runName } from '../../engine/charts/wall/groups.ts'
import type { Column } from '../../engine/runs/column.ts'
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

interface Shown {
  name: string
  column: Column
}

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
  const [first, ...others] = columnsOf(panel, fields).flatMap((name): Shown[] => {
    const column = columnOf(name, fields)
    return column ? [{ name, column }] : []
  })
  return (
    <div className="wall-chart" aria-busy={rows === null}>
      {error && <p className="bad">{error}</p>}
      {rows && best.length === 0 && <p className="wall-said muted">No values.</p>}
      {best.length > 0 && (
        <ScrollBox label={`the best runs by ${metric}`}>
          <table className="data-table wall-best">
            <thead>
              <tr>
                <th scope="col">on top</th>
                <th scope="col">run</th>
                {first && <Title {...first} />}
                <th scope="col">variant</th>
                <th scope="col">seed</th>
                {others.map((each) => (
                  <Title key={each.name} {...each} />
                ))}
              </tr>
            </thead>
            <tbody>
              {best.map((row) => (
                <tr key={row.run}>
                  <td>
                    <input
                      type="checkbox"
                      checked={drawn.picked.includes(row.run)}
                      aria-label={`Draw run ${row.run} on top`}
                      title="Draw on top of the curves"
                      onChange={({ target }) => pick(row.run, target.checked)}
                    />
                  </td>
                  <td>
                    <a href={runHash(row.run)} title={runName(row)}>
                      {row.run}
                    </a>
                  </td>
                  {first && <Value {...first} row={row} />}
                  <td>{row.variant}</td>
                  <td className="number">{row.seed}</td>
                  {others.map((each) => (
                    <Value key={each.name} {...each} row={row} />
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

function Title({ column }: Shown) {
  return (
    <th scope="col" className={isNumeric(column) ? 'number' : undefined}>
      {columnTitle(column)}
    </th>
  )
}

function Value({ name, column, row }: Shown & { row: GroupedRun }) {
  return <td className={isNumeric(column) ? 'number' : undefined}>{cellText(column, row.values[name] ?? null)}</td>
}
