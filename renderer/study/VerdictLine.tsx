import type { Verdict } from '../../engine/study/statistics/index.ts'
import { seedRecord, twoDigits } from '../../engine/study/statistics/sentences.ts'
import { SeedTable, type SeedTableProps } from './table/SeedTable.tsx'

/** What a variant has shown in words, and on demand what that rests on. */
export function VerdictLine({ variant, study, comparison, verdict }: SeedTableProps) {
  return (
    <tr className="verdict">
      <td colSpan={7}>
        {verdict && (
          <p data-testid="verdict">
            {comparison.soFar && 'so far: '}
            {verdict.sentence}
          </p>
        )}
        <details>
          <summary>by seed</summary>
          {verdict && verdict.problems.length > 0 && (
            <p className="warn">Not only the models differ, but also {verdict.problems.join(', ')}.</p>
          )}
          {verdict && <Figures verdict={verdict} />}
          <SeedTable {...{ variant, study, comparison, verdict }} />
        </details>
      </td>
    </tr>
  )
}

function Figures({ verdict }: { verdict: Verdict }) {
  const { p, adjusted, effect, looks } = verdict
  const tested: [string, string, string][] = looks
    ? [
        ['evidence', `${twoDigits(looks.evidence)} to 1`, 'corrected for all variants compared; 20 to 1 decides'],
        ['p at any time', twoDigits(p), '1 over the highest evidence so far'],
      ]
    : [
        ['p', twoDigits(p), 'two-sided, of the sign-flip test'],
        ['Holm p', twoDigits(adjusted), 'adjusted for all variants compared'],
      ]
  const figures: [string, string, string][] = [
    ...tested,
    [
      'effect',
      twoDigits(effect),
      'mean difference over the standard deviation of the differences, corrected for few pairs',
    ],
    ['wins–ties–losses', seedRecord(verdict), 'seeds on which it is better, equal and worse'],
  ]
  return (
    <dl className="extent">
      {figures.map(([name, value, meaning]) => (
        <div key={name} title={meaning}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
