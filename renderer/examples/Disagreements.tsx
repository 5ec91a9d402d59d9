import { useMemo, useState } from 'react'
import { MixlabError } from '../../engine/errors.ts'
import { compareOutcomes, differs } from '../../engine/examples/compare.ts'
import { explain } from '../../engine/examples/explain.ts'
import { checkSameTest } from '../../engine/examples/sameTest.ts'
import { causeText, comparisonText, isRightOrWrong, leftOutText } from '../../engine/examples/words.ts'
import type { Outcomes } from '../../engine/records/outcomes/outcomes.ts'
import { unpackOutcomes } from '../../engine/records/outcomes/pack.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { runningKernel } from '../session/kernel/control.ts'
import { Choice } from '../ui/Choice.tsx'
import { CauseTable } from './CauseTable.tsx'
import { ExampleList } from './ExampleList.tsx'
import '../styles/examples.css'

/** A run and what it is called. */
export interface NamedRun {
  run: StoredRunDetails
  name: string
}

/** Where two of several runs disagree, example by example. */
export default function Disagreements({ runs }: { runs: readonly NamedRun[] }) {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState<[string, string] | null>(null)
  const ids = runs.map(({ run }) => String(run.id))
  const [a, b] = chosen?.every((id) => ids.includes(id)) ? chosen : [ids[0] as string, ids[1] as string]
  const named = (id: string) => runs[ids.indexOf(id)] as NamedRun
  const options = runs.map(({ run, name }): [string, string] => [String(run.id), name])
  return (
    <section aria-labelledby="disagreements" data-testid="disagreements">
      <h2 id="disagreements">Examples</h2>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{`Where ${named(a).name} and ${named(b).name} disagree`}</summary>
        {open && (
          <div className="examples-body">
            {runs.length > 2 && (
              <div className="examples-choices">
                <Choice label="first" options={options} value={a} onChange={(id) => setChosen([id, b])} />
                <Choice label="second" options={options} value={b} onChange={(id) => setChosen([a, id])} />
              </div>
            )}
            {a === b ? (
              <p className="muted">Choose two runs.</p>
            ) : (
              <OfTwo key={`${a} ${b}`} first={named(a)} second={named(b)} />
            )}
          </div>
        )}
      </details>
    </section>
  )
}

interface OfTwoProps {
  first: NamedRun
  second: NamedRun
}

/** What both runs came to, or why they are not compared. */
function OfTwo({ first, second }: OfTwoProps) {
  const { value, error } = useAnswer('', async () => {
    checkSameTest(first.run, second.run)
    return Promise.all([first, second].map(outcomesOf))
  })
  const [test, setTest] = useState<string | null>(null)
  if (error) return <p className="bad">{error}</p>
  if (!value) return <p className="muted">Reading.</p>
  const [own = {}, other = {}] = value
  const tests = Object.keys(own).filter((each) => other[each])
  const shown = test ?? tests[0]
  if (shown === undefined) return <p className="muted">They have no test in common.</p>
  return (
    <>
      {tests.length > 1 && <Choice label="test" options={tests} value={shown} onChange={setTest} />}
      <OnTest
        key={shown}
        {...{ first, second, test: shown }}
        outcomes={[own[shown] as Outcomes, other[shown] as Outcomes]}
      />
    </>
  )
}

async function outcomesOf({ run, name }: NamedRun): Promise<Record<string, Outcomes>> {
  const packed = await host().readOutcomes(run.id)
  if (packed) return unpackOutcomes(packed, name)
  throw new MixlabError('store', name, 'keeps nothing of its test examples; its page evaluates it again')
}

interface OnTestProps extends OfTwoProps {
  test: string
  outcomes: [Outcomes, Outcomes]
}

function OnTest({ first, second, test, outcomes }: OnTestProps) {
  const [side, setSide] = useState<'0' | '1'>('0')
  const names = [first.name, second.name] as const
  const found = useMemo(() => {
    try {
      return { comparison: compareOutcomes(...outcomes, [first.name, second.name]), error: null }
    } catch (error) {
      return { comparison: null, error }
    }
  }, [outcomes, first.name, second.name])
  const { value: causes, error } = useAnswer(test, async () => {
    if (!found.comparison || !differs(found.comparison)) return []
    const kernel = await runningKernel()
    const { index } = found.comparison.outcomes[0]
    const { known } = await kernel.examples({ run: first.run, test, weights: null, known: index })
    return known ? explain(found.comparison, known) : []
  })
  if (!found.comparison) return <p className="bad">{String((found.error as Error).message)}</p>
  const { comparison } = found
  const [own] = comparison.outcomes
  const left = leftOutText(own)
  const word = isRightOrWrong(own) ? 'alone is right' : 'is better'
  const rows = comparison.better[Number(side) as 0 | 1]
  const about = (
    <>
      <p data-testid="comparison">{comparisonText(comparison, names)}</p>
      {left && <p className="muted">{left}</p>}
    </>
  )
  if (!differs(comparison)) return about
  return (
    <>
      {about}
      <p aria-live="polite" data-testid="causes">
        {error
          ? `What tells them apart is not known: ${error}`
          : causes
            ? causeText(causes, own, names)
            : 'What tells them apart is looked for.'}
      </p>
      {causes && causes.length > 0 && <CauseTable causes={causes} outcomes={own} />}
      <div className="examples-choices">
        <Choice
          label="show"
          options={[
            ['0', `${first.name} ${word} (${comparison.better[0].length})`],
            ['1', `${second.name} ${word} (${comparison.better[1].length})`],
          ]}
          value={side}
          onChange={setSide}
          testId="disagreements-side"
        />
      </div>
      <ExampleList
        key={side}
        test={test}
        said={[first, second].map((each, i) => ({ ...each, outcomes: comparison.outcomes[i] as Outcomes }))}
        rows={rows}
        label={`${names[Number(side) as 0 | 1]} ${word}`}
      />
    </>
  )
}
