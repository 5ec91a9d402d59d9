import { MixlabError, suggest } from '../../../engine/errors.ts'
import type { ExampleRow } from '../../../engine/examples/rows.ts'
import { percent, short } from '../../../engine/examples/words.ts'
import type { Outcomes, RunOutcomes } from '../../../engine/records/outcomes/outcomes.ts'

/** The name of a test of a run. Throws MixlabError `option` for one that there is not. */
export function ofTest(outcomes: RunOutcomes, wanted: unknown, run: string): string {
  const names = Object.keys(outcomes)
  const name = wanted === undefined ? names[0] : String(wanted)
  if (name !== undefined && Object.hasOwn(outcomes, name)) return name
  throw new MixlabError('option', '--test', `${run} has no test '${name}'${suggest(String(name), names)}`)
}

type Column = [head: string, cell: (row: ExampleRow) => string]

const numberText = (value: number | null) => (value === null ? '' : short(value))

/** What is printed of the outcomes of a kind. */
function columnsOf({ kind, lossName, prediction }: Outcomes): Column[] {
  const loss: Column = [lossName, (row) => short(row.loss)]
  const share: Column = ['right', (row) => percent(row.right)]
  const own: Record<Outcomes['kind'], Column[]> = {
    classes: [
      ['class', (row) => row.class ?? ''],
      ['taken for', (row) => row.predicted ?? ''],
      ['probability', (row) => percent(row.probability)],
      ['of its class', (row) => percent(row.truth)],
    ],
    places: [share],
    spans: [
      ['right', (row) => (row.right === 1 ? 'yes' : 'no')],
      ['answer', (row) => (row.start === -1 ? 'none' : `${row.start}..${row.end}`)],
      ['probability', (row) => percent(row.probability)],
      ['f1', (row) => numberText(row.f1)],
    ],
    numbers: prediction
      ? [
          ['target', (row) => numberText(row.target)],
          ['predicted', (row) => numberText(row.prediction)],
        ]
      : [],
  }
  return [['example', (row) => String(row.example)], ...own[kind], loss]
}

/** What one run came to on an example, in one cell. */
export function cellOf({ loss, right, predicted, probability, start, end }: ExampleRow, { kind }: Outcomes): string {
  if (kind === 'classes') return `${predicted} ${percent(probability)}`
  if (kind === 'spans') return `${start === -1 ? 'none' : `${start}..${end}`} ${percent(probability)}`
  return kind === 'places' ? percent(right) : short(loss)
}

/** The heads of a table of outcomes, and its cells. */
export const heads = (outcomes: Outcomes): string[] => columnsOf(outcomes).map(([head]) => head)
export const cells = (row: ExampleRow, outcomes: Outcomes): string[] => columnsOf(outcomes).map(([, cell]) => cell(row))
