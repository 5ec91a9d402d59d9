import { csvLine } from '../../engine/display/csv.ts'
import { MixlabError, suggest } from '../../engine/errors.ts'
import { COLUMNS, rowOf } from '../../engine/examples/rows.ts'
import { selected } from '../../engine/examples/select.ts'
import { leftOutText, rightText } from '../../engine/examples/words.ts'
import type { Outcomes, RunOutcomes } from '../../engine/records/outcomes/outcomes.ts'
import { type Arguments, CARD, type CliCommand, RAW, type Terminal, TRUST } from './command.ts'
import { compared } from './examples/compared.ts'
import { openOutcomes, type RunWithOutcomes } from './examples/open.ts'
import { cells, heads, ofTest } from './examples/print.ts'
import { grouped, wholeNumber } from './given/numbers.ts'
import { table } from './terminal/table.ts'

export const examples: CliCommand = {
  name: 'examples',
  synopsis: '<run> [other run]',
  summary: 'what a run came to on each test example; of two runs, where they disagree, and what tells that apart',
  words: [1, 2],
  options: {
    test: { value: 'T', help: 'a test of the data set (default: the first)' },
    wrong: { help: 'of one run: the wrong ones alone' },
    right: { help: 'of one run: the right ones alone' },
    class: { value: 'C', help: 'of one run: those of this class' },
    as: { value: 'C', help: 'of one run: those that it takes for this class' },
    top: { value: 'N', help: 'how many rows are printed (default: 20; in JSON and CSV all)' },
    again: { help: 'evaluate runs again; what comes of it is kept where nothing is' },
    csv: { help: 'print CSV' },
    raw: RAW,
    backend: { value: 'B', help: 'to evaluate again: simd (default), webgpu, or cpu' },
    card: CARD,
    trust: TRUST,
  },
  run: async (given, output) => {
    const { json, csv, right, wrong } = given.options
    if (json && csv) throw new MixlabError('option', '--csv', 'stands beside --json, expected one of them')
    if (right && wrong) throw new MixlabError('option', '--right', 'stands beside --wrong, expected one of them')
    const top = wholeNumber(given, 'top', 1)
    return openOutcomes(given, output, async ([first, second], known) => {
      if (second) return compared(first, second, { given, output, known, top })
      printOne(first, given, output, top)
      return 0
    })
  },
}

/** Prints the examples of one run. */
function printOne({ run, outcomes }: RunWithOutcomes, given: Arguments, output: Terminal, top: number | undefined) {
  const { json, csv, raw, test: wanted } = given.options
  const asked = wanted === undefined ? Object.keys(outcomes) : [ofTest(outcomes, wanted, `run ${run.id}`)]
  const chosen: RunOutcomes = {}
  for (const test of asked) chosen[test] = outcomes[test] as Outcomes
  const rows = Object.entries(chosen).flatMap(([test, each]) => {
    return selected(each, selectionOf(each, given)).map((row) => rowOf(test, each, row))
  })
  const most = top ?? (json || csv ? rows.length : 20)
  if (json) {
    const about = Object.entries(chosen).map(([test, { tested, index }]) => ({ test, tested, kept: index.length }))
    output.out(JSON.stringify({ run: run.id, tests: about, examples: rows.slice(0, most) }))
    return
  }
  if (csv) {
    output.out(csvLine([...COLUMNS]))
    for (const row of rows.slice(0, most))
      output.out(
        csvLine(
          COLUMNS.map((column) => row[column]),
          raw === true,
        ),
      )
    return
  }
  for (const [test, each] of Object.entries(chosen)) {
    output.out(`run ${run.id}, ${run.study}/${run.variant}/${run.seed}, ${test}: ${rightText(each)}`)
    const left = leftOutText(each)
    if (left) output.out(left)
    const own = rows.filter((row) => row.test === test)
    const shown = own.slice(0, most)
    output.out('')
    for (const line of table(
      heads(each),
      shown.map((row) => cells(row, each)),
    ))
      output.out(line)
    if (own.length > shown.length) output.out(`and ${grouped(own.length - shown.length)} more, --top N`)
    output.out('')
  }
}

/** Which examples a call asks for. Throws MixlabError `option` for a class that there is not. */
function selectionOf(outcomes: Outcomes, { options }: Arguments) {
  const which = options.right ? ('right' as const) : options.wrong ? ('wrong' as const) : ('all' as const)
  const number = (option: 'class' | 'as') => {
    const name = options[option]
    if (name === undefined) return undefined
    const { classes = [] } = outcomes
    const found = classes.indexOf(String(name))
    if (found >= 0) return found
    const known = classes.length > 0 ? suggest(String(name), classes) : ', its task has no classes'
    throw new MixlabError('option', `--${option}`, `unknown class '${name}'${known}`)
  }
  return { which, label: number('class'), predicted: number('as') }
}
