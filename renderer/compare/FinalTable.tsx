import { useMemo, useState } from 'react'
import { seriesToken } from '../../engine/charts/seriesToken.ts'
import { meaningIn, meaningText } from '../../engine/records/meaning.ts'
import { metricTitle } from '../../engine/records/splits.ts'
import { columnTitle } from '../../engine/runs/format.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { Head } from '../ui/Head.tsx'
import { runHash } from '../ui/route.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import type { Family } from './family.ts'
import { finalText, groupVerdicts, lastOf } from './finals.ts'
import type { ComparedGroup } from './groups.ts'

interface FinalTableProps {
  groups: readonly ComparedGroup[]
  metrics: string[]
  /** Undefined until it is known. */
  family: Family | null | undefined
}

/** The last values of the metrics, and what they say of each group against one of them. */
export function FinalTable({ groups, metrics, family }: FinalTableProps) {
  const [against, setAgainst] = useState<string | null>(null)
  const pinned = useAnswer('baselines', () => host().baselines()).value ?? {}
  const names = groups.map(({ name }) => name)
  const own = groups.find(({ study, variant }) => pinned[study] === variant)?.name
  const baseline = (against !== null && names.includes(against) ? against : own) ?? names[0] ?? ''
  const [metric] = metrics
  const all = groups.flatMap(({ runs }) => runs)
  const meaningOf = (name: string) => meaningIn(all, name)
  const verdicts = useMemo(
    () => (metric && family !== undefined ? groupVerdicts(groups, metric, baseline, family) : []),
    [groups, metric, baseline, family],
  )
  if (!metric) return <p className="muted">No metric is chosen.</p>
  return (
    <>
      <ScrollBox label="last values">
        <table className="facts" data-testid="finals">
          <thead>
            <tr>
              <Head>last values, mean ± sd (n)</Head>
              {metrics.map((name) => (
                <Head key={name} number title={meaningText(meaningOf(name))}>
                  {columnTitle(lastOf(name, meaningOf(name)))}
                </Head>
              ))}
              <Head>seeds</Head>
              {groups.length > 1 && (
                <Head>{`${metricTitle(metric, metric, meaningOf(metric).exploratory)} against ${baseline}`}</Head>
              )}
            </tr>
          </thead>
          <tbody>
            {groups.map((group, index) => (
              <tr key={group.name}>
                <th scope="row">
                  <span className="swatch" style={{ background: seriesToken(index) }} />
                  {group.name}
                </th>
                {metrics.map((name) => (
                  <td key={name} className="number">
                    {finalText(group, name, meaningOf(name))}
                  </td>
                ))}
                <td>
                  <Seeds group={group} />
                </td>
                {groups.length > 1 && (
                  <td className="sentence" data-claim={verdicts[index]?.claim}>
                    {verdicts[index]?.sentence ?? (group.name === baseline && 'baseline')}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {groups.length > 1 && (
        <Choice
          label="compare with"
          options={names}
          value={baseline}
          onChange={setAgainst}
          className="against"
          testId="against"
        />
      )}
    </>
  )
}

function Seeds({ group: { name, runs } }: { group: ComparedGroup }) {
  return (
    <span className="seed-links">
      {runs.map(({ id, seed, status }) => (
        <a
          key={id}
          href={runHash(id)}
          title={`run ${id}, seed ${seed}: ${status}`}
          aria-label={`${name}, seed ${seed}: run ${id}, ${status}`}
        >
          {seed}
        </a>
      ))}
    </span>
  )
}
