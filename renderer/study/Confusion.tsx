import type { ClassificationReport } from '../../engine/evaluate/report.ts'
import { ScrollBox } from '../outputs/ScrollBox.tsx'

/** Classes of which a matrix is still legible. */
const MATRIX = 20

/** What each class was taken for, one row a class; a cell is the darker, the larger its share of the row. */
export function Confusion({ split, report }: { split: string; report: ClassificationReport }) {
  const { classes, confusion, accuracy } = report
  if (classes.length > MATRIX) {
    return <p className="muted">{`${split}: ${classes.length} classes, too many for a matrix; see mixlab show`}</p>
  }
  return (
    <ScrollBox label={`confusion on ${split}`}>
      <table className="confusion" data-testid="confusion">
        <thead>
          <tr>
            <th scope="col">{split}: is / taken for</th>
            {classes.map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col" className="number">
              right
            </th>
          </tr>
        </thead>
        <tbody>
          {classes.map((name, label) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {classes.map((other, column) => (
                <Cell key={other} counts={confusion[label] ?? []} column={column} />
              ))}
              <td className="number">{percent(accuracy[label])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Cell({ counts, column }: { counts: number[]; column: number }) {
  const count = counts[column] ?? 0
  const share = Math.round(
    (100 * count) /
      Math.max(
        1,
        counts.reduce((sum, each) => sum + each, 0),
      ),
  )
  return (
    <td className="number" style={{ background: `color-mix(in srgb, var(--accent) ${share / 2}%, transparent)` }}>
      {count || '·'}
    </td>
  )
}

function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${(share * 100).toFixed(1)} %`
}
