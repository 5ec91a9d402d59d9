import { csvLine } from '../../../engine/display/csv.ts'
import { messageOf } from '../../../engine/errors.ts'
import type { Cause } from '../../../engine/examples/causes.ts'
import { type Comparison, compareOutcomes, differs } from '../../../engine/examples/compare.ts'
import { explain } from '../../../engine/examples/explain.ts'
import { COLUMNS, rowOf } from '../../../engine/examples/rows.ts'
import { checkSameTest } from '../../../engine/examples/sameTest.ts'
import { causeText, comparisonText, isRightOrWrong, leftOutText } from '../../../engine/examples/words.ts'
import type { Outcomes } from '../../../engine/records/outcomes/outcomes.ts'
import type { Arguments, Terminal } from '../command.ts'
import { grouped } from '../given/numbers.ts'
import { table } from '../terminal/table.ts'
import type { RunWithOutcomes, TellKnown } from './open.ts'
import { cellOf, ofTest } from './print.ts'

interface Around {
  given: Arguments
  output: Terminal
  known: TellKnown
  top: number | undefined
}

/** Prints where two runs disagree, and what tells that apart. Returns the exit code. */
export async function compared(first: RunWithOutcomes, second: RunWithOutcomes, around: Around): Promise<number> {
  const { given, output, known, top } = around
  const { json, csv, raw } = given.options
  const names = [`run ${first.run.id}`, `run ${second.run.id}`] as const
  const of = ['wrong', 'right', 'class', 'as'].find((name) => given.options[name] !== undefined)
  if (of) output.err(`--${of} is of one run; of two those are shown on which they differ`)
  checkSameTest(first.run, second.run)
  const test = ofTest(first.outcomes, given.options.test, names[0])
  ofTest(second.outcomes, test, names[1])
  const comparison = compareOutcomes(first.outcomes[test] as Outcomes, second.outcomes[test] as Outcomes, names)
  const [own, other] = comparison.better
  if (csv) {
    printCsv(comparison, test, names, { output, top, raw: raw === true })
    return 0
  }
  const causes = !differs(comparison) ? NO_CAUSES : await causesOf(comparison, first, test, known, names)
  const about = [comparisonText(comparison, names), ...causes.sentences]
  if (json) {
    const rows = (side: readonly number[]) => side.slice(0, top).map((row) => pairOf(comparison, test, row))
    const { equal, bothRight, p } = comparison
    const counts = { examples: comparison.leads.length, firstBetter: own.length, secondBetter: other.length, equal }
    const found = { ...counts, bothRight, p, causes: causes.list, text: about }
    output.out(
      JSON.stringify({ runs: [first.run.id, second.run.id], test, ...found, first: rows(own), second: rows(other) }),
    )
    return 0
  }
  for (const line of about) output.out(line)
  for (const [side, rows] of [own, other].entries()) {
    if (rows.length === 0) continue
    const shown = rows.slice(0, top ?? 20)
    const alone = isRightOrWrong(comparison.outcomes[0]) ? 'alone is right' : 'is better'
    output.out('')
    output.out(`${names[side]} ${alone}`)
    for (const line of printed(comparison, test, shown, names)) output.out(line)
    if (rows.length > shown.length) output.out(`and ${grouped(rows.length - shown.length)} more, --top N`)
  }
  return 0
}

const NO_CAUSES = { list: [], sentences: [] }

/** What tells disagreements apart, and that in sentences; or why that is not known. */
async function causesOf(
  comparison: Comparison,
  { run }: RunWithOutcomes,
  test: string,
  known: TellKnown,
  names: readonly [string, string],
): Promise<{ list: Cause[]; sentences: string[] }> {
  const [outcomes] = comparison.outcomes
  const left = leftOutText(outcomes)
  try {
    const facts = await known(run, test, outcomes.index)
    const list = explain(comparison, facts)
    if (!facts.planted && !outcomes.label) {
      return {
        list,
        sentences: [...(left ? [left] : []), 'Nothing is known of its examples that could tell them apart.'],
      }
    }
    return { list, sentences: [...(left ? [left] : []), causeText(list, outcomes, names)] }
  } catch (error) {
    return { list: [], sentences: [`What tells them apart is not known: ${messageOf(error)}`] }
  }
}

/** Both outcomes of an example. */
const pairOf = ({ outcomes: [a, b] }: Comparison, test: string, row: number) => {
  const { test: _, example, ...first } = rowOf(test, a, row)
  const { test: __, example: ___, ...second } = rowOf(test, b, row)
  return { example, first, second }
}

/** A table of examples with what both runs came to. */
function printed(
  { outcomes: [a, b] }: Comparison,
  test: string,
  rows: readonly number[],
  names: readonly [string, string],
): string[] {
  const isClass = a.kind === 'classes'
  const lines = rows.map((row) => {
    const [own, other] = [rowOf(test, a, row), rowOf(test, b, row)]
    return [String(own.example), ...(isClass ? [own.class ?? ''] : []), cellOf(own, a), cellOf(other, b)]
  })
  return table(['example', ...(isClass ? ['class'] : []), ...names], lines)
}

function printCsv(
  comparison: Comparison,
  test: string,
  names: readonly string[],
  { output, top, raw }: { output: Terminal; top: number | undefined; raw: boolean },
) {
  const columns = COLUMNS.filter((column) => column !== 'test' && column !== 'example')
  output.out(
    csvLine(
      ['test', 'example', 'better', ...names.flatMap((name) => columns.map((column) => `${column} of ${name}`))],
      raw,
    ),
  )
  for (const [side, rows] of comparison.better.entries()) {
    for (const row of rows.slice(0, top)) {
      const both = comparison.outcomes.flatMap((each) => columns.map((column) => rowOf(test, each, row)[column]))
      output.out(csvLine([test, comparison.outcomes[0].index[row] as number, names[side] as string, ...both], raw))
    }
  }
}
