import type { Cause } from '../../engine/examples/causes.ts'
import { pointsText, pText } from '../../engine/examples/words.ts'
import type { Outcomes } from '../../engine/records/outcomes/outcomes.ts'
import { DataTable } from '../ui/DataTable.tsx'

/** All factors that were tried, the one that tells most first. */
export function CauseTable({
  causes,
  outcomes: { right, lossName },
}: {
  causes: readonly Cause[]
  outcomes: Outcomes
}) {
  const short = (value: number) => (right ? pointsText(value) : String(Number(value.toPrecision(3))))
  const rows = causes.map(({ factor, level, range, change, interval: [low, high], adjusted }) => [
    factor,
    level ?? range?.map((value) => String(Number(value.toPrecision(3)))).join(' to ') ?? '',
    short(change),
    Number.isFinite(low) ? `${short(low)} to ${short(high)}` : 'any',
    pText(adjusted).replace('= ', ''),
  ])
  const change = right ? 'change of the lead, points' : `change of the lead, ${lossName}`
  return (
    <details>
      <summary>All factors</summary>
      <DataTable
        columns={['factor', 'where', change, '95% interval', 'p, Holm']}
        rows={rows}
        total={rows.length}
        label="factors"
      />
    </details>
  )
}
