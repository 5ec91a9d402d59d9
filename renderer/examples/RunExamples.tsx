import { useState } from 'react'
import { type Selection, selected } from '../../engine/examples/select.ts'
import { leftOutText, rightText } from '../../engine/examples/words.ts'
import type { Outcomes } from '../../engine/records/outcomes/outcomes.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { splitTitle } from '../../engine/records/splits.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { EvaluateAgain } from './EvaluateAgain.tsx'
import { ExampleList } from './ExampleList.tsx'
import { readKept } from './kept.ts'
import '../styles/examples.css'

/** A cell of a confusion matrix: examples of a class that were taken for one. */
export interface ClassPair {
  test: string
  label: number
  predicted: number
}

interface RunExamplesProps {
  run: StoredRunDetails
  /** What was clicked in a confusion matrix last. */
  pair: ClassPair | null
  onPair(pair: ClassPair | null): void
}

/** What a run came to on each test example: right and wrong ones by loss, and by class. */
export default function RunExamples({ run, pair, onPair }: RunExamplesProps) {
  const [made, setMade] = useState(0)
  const { value, error } = useAnswer(`${run.id} ${run.status} ${made}`, () => readKept(run.id))
  const [open, setOpen] = useState(false)
  if (error) return <p className="bad">{error}</p>
  if (!value || (!value.outcomes && run.status !== 'done')) return null
  const { outcomes } = value
  return (
    <section aria-labelledby="run-examples" data-testid="run-examples">
      <h2 id="run-examples">Examples</h2>
      {!outcomes && <EvaluateAgain run={run} why={value.why} onKept={() => setMade(made + 1)} />}
      {outcomes && (
        <details
          open={open || pair !== null}
          onToggle={({ currentTarget }) => {
            setOpen(currentTarget.open)
            if (!currentTarget.open) onPair(null) // else a second click in the matrix would open nothing
          }}
        >
          <summary>
            {Object.entries(outcomes)
              .map(([test, each]) => `${splitTitle(test)}: ${rightText(each)}`)
              .join('; ')}
          </summary>
          {(open || pair !== null) && <Chosen run={run} outcomes={outcomes} pair={pair} onPair={onPair} />}
        </details>
      )}
    </section>
  )
}

const ANY = ''

function Chosen({ run, outcomes, pair, onPair }: RunExamplesProps & { outcomes: Record<string, Outcomes> }) {
  const tests = Object.keys(outcomes)
  const [chosenTest, setTest] = useState(tests[0] ?? '')
  const [which, setWhich] = useState<Selection['which']>('all')
  const test = pair?.test ?? chosenTest
  const own = outcomes[test] ?? (outcomes[tests[0] ?? ''] as Outcomes)
  const { classes = [], right } = own
  const [label, predicted] = [pair?.label, pair?.predicted]
  const numberOf = (value: string) => (value === ANY ? -1 : Number(value))
  const choose = (part: Partial<ClassPair>) => {
    const next = { test, label: label ?? -1, predicted: predicted ?? -1, ...part }
    onPair(next.label < 0 && next.predicted < 0 ? null : next)
  }
  const isSet = (value: number | undefined) => value !== undefined && value >= 0
  const asked: Selection = {
    which: isSet(label) && isSet(predicted) ? 'all' : which,
    label: isSet(label) ? label : undefined,
    predicted: isSet(predicted) ? predicted : undefined,
  }
  const rows = selected(own, asked)
  const options = [[ANY, 'any'], ...classes.map((name, i) => [String(i), name])] as [string, string][]
  const left = leftOutText(own)
  return (
    <div className="examples-body">
      <div className="examples-choices">
        {tests.length > 1 && (
          <Choice
            label="test"
            options={tests}
            value={test}
            onChange={(next) => (pair ? choose({ test: next }) : setTest(next))}
          />
        )}
        {right && own.kind !== 'places' && (
          <Choice
            label="show"
            options={[
              ['all', 'all'],
              ['wrong', 'wrong ones'],
              ['right', 'right ones'],
            ]}
            value={which}
            onChange={setWhich}
            testId="examples-which"
          />
        )}
        {classes.length > 0 && (
          <>
            <Choice
              label="class"
              options={options}
              value={isSet(label) ? String(label) : ANY}
              onChange={(next) => choose({ label: numberOf(next) })}
              testId="examples-class"
            />
            <Choice
              label="taken for"
              options={options}
              value={isSet(predicted) ? String(predicted) : ANY}
              onChange={(next) => choose({ predicted: numberOf(next) })}
              testId="examples-predicted"
            />
          </>
        )}
        <span className="muted" aria-live="polite">
          {`${rows.length} of ${own.index.length}, the largest loss first`}
        </span>
      </div>
      {left && <p className="muted">{left}</p>}
      <ExampleList
        key={JSON.stringify([test, asked])}
        test={test}
        said={[{ run, name: null, outcomes: own }]}
        rows={rows}
        label="examples"
      />
    </div>
  )
}
