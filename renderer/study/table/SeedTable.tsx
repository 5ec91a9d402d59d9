import { cellText, columnTitle } from '../../../engine/runs/format.ts'
import { sourceNotebookText } from '../../../engine/study/sourceNotebook.ts'
import type { Verdict } from '../../../engine/study/statistics/index.ts'
import { differenceFormat, differenceUnit } from '../../../engine/study/statistics/sentences.ts'
import { openExport } from '../../export/state.ts'
import type { RunView, StudyView } from '../../protocol/study.ts'
import { useNotebook } from '../../session/state.ts'
import { Button } from '../../ui/Button.tsx'
import { Head } from '../../ui/Head.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { Comparison } from '../useComparison.ts'
import { columnOf } from './comparisonTable.ts'
import { SeedLink } from './SeedLink.tsx'
import { chosenValue } from './values.ts'

export interface SeedTableProps {
  variant: string
  study: StudyView
  comparison: Comparison
  verdict: Verdict | undefined
}

/** The runs of a variant, each beside the baseline's run with the same seed. */
export function SeedTable({ variant, study, comparison, verdict }: SeedTableProps) {
  const { chosen, baseline } = comparison
  const notebook = useNotebook((state) => state.name)
  const column = columnOf(chosen)
  const pairs = new Map(verdict?.pairs.map((pair) => [pair.seed, pair]))
  const largest = Math.max(0, ...[...pairs.values()].map(({ difference }) => Math.abs(difference)))
  const difference = differenceFormat(chosen.meaning, largest / 10)
  return (
    <table className="by-seed">
      <thead>
        <tr>
          <Head>seed</Head>
          <Head number>{columnTitle(column)}</Head>
          {verdict && (
            <>
              <Head number>{baseline}</Head>
              <Head number>difference{differenceUnit(chosen.meaning)}</Head>
            </>
          )}
          <Head number>step</Head>
          <Head>status</Head>
          <Head>weights</Head>
        </tr>
      </thead>
      <tbody>
        {study.runs
          .filter((run) => run.variant === variant)
          .map((run) => {
            const pair = pairs.get(run.seed)
            return (
              <tr key={run.key}>
                <td>
                  <SeedLink run={run} chosen={chosen} />
                </td>
                <td className="number">{cellText(column, chosenValue(run, chosen) ?? null)}</td>
                {verdict && (
                  <>
                    <td className="number">{cellText(column, pair?.baseline ?? null)}</td>
                    <td className="number">{pair ? difference(pair.difference, true) : '–'}</td>
                  </>
                )}
                <td className="number">{run.step || '–'}</td>
                <td>{[run.status, sourceNotebookText([run], notebook)].filter(Boolean).join('; ')}</td>
                <td>
                  <ExportButton run={run} />
                </td>
              </tr>
            )
          })}
      </tbody>
    </table>
  )
}

/** Opens the panel in which the model of one run leaves; shown as its seed. Nothing before the run has weights. */
function ExportButton({ run }: { run: RunView }) {
  const { id, variant, seed, hasWeights } = run
  if (!hasWeights || id === null) return null
  const label = `export ${variant}, seed ${seed}`
  return (
    <Button look="tiny" testId="export" aria-label={label} title={label} onClick={() => openExport([id])}>
      <Icon name="export" /> {seed}
    </Button>
  )
}
