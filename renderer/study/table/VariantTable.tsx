import { seriesToken } from '../../../engine/charts/seriesToken.ts'
import { cellText, columnTitle } from '../../../engine/runs/format.ts'
import { duration } from '../../../engine/study/duration.ts'
import { sourceNotebookText } from '../../../engine/study/sourceNotebook.ts'
import { floorsText, type Verdict } from '../../../engine/study/statistics/index.ts'
import { CLAIMS, differenceTexts, differenceUnit } from '../../../engine/study/statistics/sentences.ts'
import { neededRuns, type RunView, type StudyView } from '../../protocol/study.ts'
import { useNotebook } from '../../session/state.ts'
import { Button } from '../../ui/Button.tsx'
import { Head } from '../../ui/Head.tsx'
import type { Comparison } from '../useComparison.ts'
import { VerdictLine } from '../VerdictLine.tsx'
import { columnOf } from './comparisonTable.ts'
import { PreflightLine } from './PreflightLine.tsx'
import { SeedLink } from './SeedLink.tsx'
import { spreadOf } from './values.ts'

interface VariantTableProps {
  study: StudyView
  comparison: Comparison
  /** Whether waiting runs will be trained. */
  running: boolean
  onPin(variant: string): void
}

/** The comparison: per variant its complete runs, and what they show against the baseline. */
export function VariantTable({ study, comparison, running, onPin }: VariantTableProps) {
  const { chosen, baseline, verdicts, floors } = comparison
  const looked = verdicts.some(({ looks }) => looks)
  const floorLines = study.metric === chosen.metric ? floorsText(study.arms ?? [], chosen.meaning) : []
  return (
    <table className="variants" data-testid="variants">
      {floorLines.length > 0 && <caption data-testid="floor-line">{floorLines.join('; ')}</caption>}
      <thead>
        <tr>
          <Head>variant</Head>
          <Head number>
            {columnTitle(columnOf(chosen))}
            <span className="sub">mean ± sd (n)</span>
          </Head>
          <Head number>
            against {baseline}
            {differenceUnit(chosen.meaning)}
            <span className="sub">{looked ? 'median, confidence sequence' : 'mean, 95% CI'}</span>
          </Head>
          {floors.length > 0 && (
            <Head number>
              epochs
              <span className="sub">highest floor</span>
            </Head>
          )}
          <Head>seeds</Head>
          <Head number>time</Head>
          <Head>status</Head>
        </tr>
      </thead>
      {study.variants.map((variant, index) => {
        const verdict = verdicts.find((each) => each.variant === variant)
        return (
          <tbody key={variant} data-variant={variant}>
            <VariantLine
              {...{ variant, index, study, comparison, running }}
              verdict={verdict}
              onPin={() => onPin(variant)}
            />
            <PreflightLine
              variant={variant}
              known={study.preflights?.find((each) => each.variant === variant)}
              left={study.notLookedAt?.includes(variant) ?? false}
            />
            <VerdictLine {...{ variant, study, comparison }} verdict={verdict} />
          </tbody>
        )
      })}
    </table>
  )
}

interface VariantLineProps {
  variant: string
  /** Place among the variants, which decides the colour. */
  index: number
  study: StudyView
  comparison: Comparison
  /** None for the baseline. */
  verdict: Verdict | undefined
  running: boolean
  onPin(): void
}

/** One variant of the comparison in numbers. */
function VariantLine({ variant, index, study, comparison, verdict, running, onPin }: VariantLineProps) {
  const { chosen, runs: done, baseline } = comparison
  const runs = study.runs.filter((run) => run.variant === variant)
  const notebook = useNotebook((state) => state.name)
  const floors = comparison.floors.find((each) => each.variant === variant)
  const ms = runs.reduce((sum, run) => sum + run.ms, 0)
  return (
    <tr>
      <th scope="row">
        <span className="swatch" style={{ background: seriesToken(index) }} />
        {variant}
        {variant === baseline ? (
          <span className="badge" data-testid="baseline">
            baseline
          </span>
        ) : (
          <Button look="tiny pin" title={`Compare the others to ${variant} from now on`} onClick={onPin} testId="pin">
            <span>
              Pin <span className="hidden">{variant}</span> as baseline
            </span>
          </Button>
        )}
      </th>
      <td className="number" data-testid="mean">
        {cellText(columnOf(chosen), spreadOf(done, variant, chosen))}
      </td>
      <td className="number">{verdict ? <Difference verdict={verdict} soFar={comparison.soFar} /> : '–'}</td>
      {floors && (
        <td className="number" data-testid="floors">
          {floors.epochs}
          <span className="sub">{floors.floor}</span>
          {floors.short && <span className="badge">{floors.short}</span>}
        </td>
      )}
      <td className="seeds">
        {neededRuns({ runs }).map((run) => (
          <SeedLink key={run.key} run={run} chosen={chosen} />
        ))}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: an SVG of numbers that Mixlab wrote */}
        <div dangerouslySetInnerHTML={{ __html: comparison.strips.get(variant) ?? '' }} />
      </td>
      <td className="number">{ms ? duration(ms / 1000) : '–'}</td>
      <td>{[runCounts(runs, running), sourceNotebookText(runs, notebook)].filter(Boolean).join('; ')}</td>
    </tr>
  )
}

/** Runs that are still missing may change a claim, so none is made before. */
function Difference({ verdict, soFar }: { verdict: Verdict; soFar: boolean }) {
  const { mean, interval } = differenceTexts(verdict)
  if (mean === null) return '–'
  return (
    <>
      {mean}
      {interval && (
        <span
          className="interval"
          title="Confidence interval by the test that decides, at the level of this comparison"
        >
          {` [${interval}]`}
        </span>
      )}
      {soFar ? (
        <span className="badge">so far</span>
      ) : (
        <span className="badge" data-claim={verdict.claim}>
          {verdict.problems.length > 0 ? 'no verdict' : verdict.interim ? 'interim' : CLAIMS[verdict.claim]}
        </span>
      )}
    </>
  )
}

const ORDER = ['done', 'running', 'waiting', 'not run', 'failed', 'interrupted', 'not needed']

/** `done`, or how many of the runs are in which state. `running`: those that wait will be trained. */
export function runCounts(runs: Pick<RunView, 'status' | 'notNeeded'>[], running: boolean): string {
  const words = runs.map(({ status, notNeeded }) =>
    notNeeded ? 'not needed' : status === 'waiting' && !running ? 'not run' : status,
  )
  const present = ORDER.map((word) => ({ word, count: words.filter((each) => each === word).length })).filter(
    ({ count }) => count > 0,
  )
  if (present.length === 1) return present[0]?.word ?? ''
  return present.map(({ word, count }) => `${count} ${word}`).join(', ')
}
