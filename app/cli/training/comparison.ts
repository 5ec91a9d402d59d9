import type { VariantFloors } from '../../../engine/records/design.ts'
import { type MetricMeaning, meaningIn } from '../../../engine/records/meaning.ts'
import { leftText, type Preflight, preflightText } from '../../../engine/records/preflight.ts'
import type { StoredRun, StudyEvent } from '../../../engine/records/run.ts'
import type { Column } from '../../../engine/runs/column.ts'
import { cellText, columnTitle } from '../../../engine/runs/format.ts'
import { studyText } from '../../../engine/runs/studyText.ts'
import { verdictTable } from '../../../engine/runs/verdictTable.ts'
import { baselineOf } from '../../../engine/study/baseline.ts'
import type { Failure } from '../../../engine/study/failures.ts'
import { namedRuns } from '../../../engine/study/named.ts'
import { type Answer, answers } from '../../../engine/study/questions/answers.ts'
import { leadText } from '../../../engine/study/questions/lead.ts'
import {
  type ArmRow,
  armRows,
  floorsText,
  type Verdict,
  type VerdictsInput,
  verdicts,
} from '../../../engine/study/statistics/index.ts'
import type { VariantRow } from '../../../engine/study/summary.ts'
import { table } from '../terminal/table.ts'
import { wrapped } from './wrapped.ts'

export type PlanEvent = Extract<StudyEvent, { type: 'plan' }>

/** What is known of variants before they are trained, a sentence each, and of which nothing is. */
export function preflightLines(
  { variants, left }: { variants: readonly Preflight[]; left: readonly string[] },
  width: number | undefined,
): string[] {
  const rest = leftText(left)
  const said = variants.map((known) => `${known.variant}: ${preflightText(known)}`)
  return (rest === null ? said : [...said, rest]).flatMap((line) => wrapped(line, width))
}

/** What the runs that have ended say of each variant against the baseline, of those `pinned` or else the first variant. */
export function verdictsOf(
  plan: PlanEvent,
  done: StoredRun[],
  pinned: Record<string, string>,
  notebook: string | undefined,
  arms: readonly VariantFloors[] = [],
): Verdict[] {
  return verdicts(comparedIn(plan, done, pinned, notebook, arms))
}

function comparedIn(
  { study, metric, variants, design, runs }: PlanEvent,
  done: StoredRun[],
  pinned: Record<string, string>,
  notebook: string | undefined,
  arms: readonly VariantFloors[],
): VerdictsInput {
  const specs = new Map(runs.map(({ key, spec }) => [key, spec]))
  const all = design.variants.map(({ variant }) => variant)
  return {
    metric,
    variants,
    design,
    baseline: baselineOf(study, all, pinned),
    runs: namedRuns(design.runs, done).map((run) => ({ ...run, spec: specs.get(run.key) })),
    seeds: design.runs.map(({ seed }) => seed),
    notebook,
    arms,
  }
}

/** What the runs that have ended answer to what a study asks beside how its variants compare to the first. */
export function answersOf(
  plan: PlanEvent,
  done: StoredRun[],
  notebook: string | undefined,
  arms: readonly VariantFloors[] = [],
): Answer[] {
  return answers(comparedIn(plan, done, {}, notebook, arms))
}

/** The epochs and the highest floor of each variant, as the table shows them. */
export function floorRowsOf(plan: PlanEvent, done: StoredRun[], arms: readonly VariantFloors[]): ArmRow[] {
  return armRows(
    { ...plan, runs: namedRuns(plan.design.runs, done), arms },
    plan.variants,
    meaningIn(done, plan.metric),
  )
}

/** A study to take away, as the page copies it: with the words of the runs for its metric. */
export function copiedLines(
  format: 'latex' | 'markdown',
  compared: {
    metric: string
    baseline: string
    done: StoredRun[]
    rows: VariantRow[]
    verdicts: Verdict[]
    answers: Answer[]
  },
): string[] {
  const { metric, baseline, done, rows, verdicts, answers } = compared
  const meaning = meaningIn(done, metric)
  const column: Column = { kind: 'metric', name: metric, value: 'last', meaning }
  const variants = rows.map(({ variant, mean, sd, n }) => ({
    variant,
    mean: cellText(column, mean === null ? null : { mean, sd, n }),
  }))
  const title = `${columnTitle(column)}, mean ± sd (n)`
  const whole = studyText(format, { answers, verdicts }, verdictTable({ variants, title, meaning, baseline, verdicts }))
  return whole.trimEnd().split('\n')
}

/** Another metric of each variant. */
export interface BesideColumn {
  title: string
  rows: VariantRow[]
}

function spreadText(mean: number | null, sd: number | null, text: (value: number) => string): string {
  return mean === null ? '-' : `${text(mean)}${sd === null ? '' : ` ± ${text(sd)}`}`
}

const fiveDigits = (value: number) => (Number.isNaN(value) ? 'not a number' : String(Number(value.toPrecision(5))))

/** Why runs failed, where some did, then a line for each variant with its mean, and one for each verdict. */
export function comparisonLines(result: {
  study: string
  /** What the metric is called. */
  title: string
  rows: VariantRow[]
  verdicts: Verdict[]
  /** What the study asks beside that, and what came out. */
  answers?: Answer[] | undefined
  /** How many failed, in words; null for none. */
  lost: string | null
  failures: Failure[]
  /** Of each variant, which results another notebook has trained, in words; '' for none. */
  taken: string[]
  /** Its plan, in words; null for one of before plans were kept. */
  planned?: string | null | undefined
  /** The variants beside the floors of their data, and what a value of these means. */
  arms?: readonly VariantFloors[] | undefined
  floorRows?: readonly ArmRow[] | undefined
  meaning?: MetricMeaning | undefined
  /** What is shown beside the metric that is compared. */
  beside?: BesideColumn[] | undefined
  /** Characters of a line of sentences. */
  width?: number | undefined
}): string[] {
  const { study, title, rows, verdicts, answers = [], lost, failures, taken, planned, beside = [], width } = result
  const { arms = [], floorRows = [], meaning = {} } = result
  const reasons = failures.flatMap(({ runs, reason }) => wrapped(`  ${runs}: ${reason}`, width))
  const foreign = taken.some((text) => text !== '')
  const cells = rows.map(({ variant, n, mean, sd }, index) => [
    variant,
    spreadText(mean, sd, (value) => value.toFixed(4)),
    String(n),
    ...beside.map((column) => spreadText(column.rows[index]?.mean ?? null, column.rows[index]?.sd ?? null, fiveDigits)),
    ...floorRows
      .slice(index, index + 1)
      .flatMap(({ epochs, floor, short }) => [epochs, short ? `${floor}: ${short}` : floor]),
    ...(foreign ? [taken[index] ?? ''] : []),
  ])
  const lines = verdicts.flatMap(({ sentence }) => wrapped(sentence, width))
  const top = lost ? [`${study}: ${lost}`, ...reasons, ''] : []
  const lead = leadText(answers)
  const sentences = answers.flatMap(({ findings }) => findings.map(({ sentence }) => sentence))
  const said = [...(lead ? [...wrapped(lead, width), ''] : []), ...sentences.flatMap((each) => wrapped(each, width))]
  const named = ['variant', 'mean ± sd', 'n', ...beside.map(({ title }) => title)]
  const head = [...named, ...(floorRows.length > 0 ? ['epochs', 'highest floor'] : []), ...(foreign ? [''] : [])]
  return [
    '',
    ...top,
    ...(said.length > 0 ? [...said, ''] : []),
    `${study}: ${title}`,
    ...table(head, cells),
    ...floorsText(arms, meaning).flatMap((line) => wrapped(line, width)),
    ...lines,
    ...(planned ? wrapped(planned, width) : []),
  ]
}
