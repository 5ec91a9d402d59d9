import { type ReactNode, useState } from 'react'
import { type ExampleRow, rowOf } from '../../engine/examples/rows.ts'
import type { ShownExample } from '../../engine/examples/shown.ts'
import { isRightOrWrong, percent, short } from '../../engine/examples/words.ts'
import type { Outcomes } from '../../engine/records/outcomes/outcomes.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { Button } from '../ui/Button.tsx'
import { ExampleView } from './ExampleView.tsx'
import { isAsked, useShown } from './useShown.ts'

/** Examples that are shown at first, and added on demand. */
const SHOWN = 12

interface SaidBy {
  run: StoredRunDetails
  name: string | null
  outcomes: Outcomes
}

interface ListProps {
  test: string
  /**
   * What was said of the examples, by one run without a name or two with theirs. The examples are drawn from the data of the
   * first.
   */
  said: readonly SaidBy[]
  /** Rows of the lists, in the order in which they are shown. */
  rows: readonly number[]
  label: string
}

/** Examples in a grid, each drawn, with what runs said of it. */
export function ExampleList({ test, said, rows, label }: ListProps) {
  const [shown, setShown] = useState(SHOWN)
  const [{ run, outcomes }, second = null] = said as [SaidBy, SaidBy?]
  const visible = rows.slice(0, shown)
  const indexOf = (row: number) => outcomes.index[row] as number
  const indices = visible.map(indexOf)
  const { drawn, error } = useShown(run, test, outcomes.kind, indices)
  const other = useShown(second?.run ?? run, test, outcomes.kind, second && isAsked(outcomes.kind) ? indices : [])
  const isText = visible.some((row) => isWide(drawn.get(indexOf(row))))
  return (
    <>
      {(error ?? other.error) && <p className="bad">{error ?? other.error}</p>}
      <ul className={isText ? 'examples texts' : 'examples'} aria-label={label} data-testid="examples">
        {visible.map((row) => {
          const all = said.map(({ name, outcomes: each }) => ({ name, row: rowOf(test, each, row) }))
          const answers =
            outcomes.kind === 'spans'
              ? all.map(({ row: { start, end } }) => ({ start: start ?? -1, end: end ?? -1 }))
              : undefined
          return (
            <li key={indexOf(row)} data-example={indexOf(row)}>
              <ExampleView
                example={error ? NOT_DRAWN : (drawn.get(indexOf(row)) ?? null)}
                answers={answers}
                by={second && said[0]?.name}
                other={second && { by: second.name, example: other.drawn.get(indexOf(row)) ?? null }}
              />
              <Said all={all} outcomes={outcomes} />
            </li>
          )
        })}
      </ul>
      {rows.length === 0 && <p className="muted">There are none.</p>}
      {rows.length > shown && (
        <p className="data-more muted">
          {`${visible.length} of ${rows.length} `}
          <Button look="small" onClick={() => setShown(shown + SHOWN)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}

const NOT_DRAWN: ShownExample = { parts: [], texts: null, guesses: null }

/** Whether an example is read in lines, and takes the whole width. */
const isWide = (example: ShownExample | undefined) =>
  example !== undefined && (example.texts !== null || example.guesses !== null)

/** Number, truth and loss of an example, and what each run said. */
function Said({ all, outcomes }: { all: readonly { name: string | null; row: ExampleRow }[]; outcomes: Outcomes }) {
  const [{ row }] = all as [(typeof all)[number]]
  return (
    <div className="example-said">
      <span className="muted">#{row.example}</span>
      {row.class !== null && <strong>{row.class}</strong>}
      {row.target !== null && <span>truth {short(row.target)}</span>}
      {all.map(({ name, row: own }) => (
        <span key={name} className="example-answer" data-right={isRightOrWrong(outcomes) ? own.right === 1 : undefined}>
          {name !== null && <span className="muted">{name} </span>}
          {answerOf(own, outcomes)}
        </span>
      ))}
    </div>
  )
}

/** What a run said of an example, in words. */
function answerOf(row: ExampleRow, { kind, lossName, unit }: Outcomes): ReactNode {
  const loss = (
    <span className="muted">{`${kind === 'numbers' && row.prediction === null ? '' : ', '}${lossName} ${short(row.loss)}`}</span>
  )
  const sign = row.right === 1 ? '✓' : '✗'
  switch (kind) {
    case 'classes':
      return (
        <>
          {`${sign} ${row.predicted} ${percent(row.probability)}`}
          {row.right === 1 ? null : <span className="muted">{`, its class ${percent(row.truth)}`}</span>}
          {loss}
        </>
      )
    case 'spans':
      return (
        <>
          {`${sign} ${row.start === -1 ? 'no answer' : 'answer'} ${percent(row.probability)}`}
          {loss}
        </>
      )
    case 'places':
      return (
        <>
          {`${percent(row.right)} of ${unit} right`}
          {loss}
        </>
      )
    default:
      return (
        <>
          {row.prediction === null ? '' : `predicted ${short(row.prediction)}`}
          {loss}
        </>
      )
  }
}
