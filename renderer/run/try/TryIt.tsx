import { useState } from 'react'
import { meaningText, metricText } from '../../../engine/records/meaning.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import type { WhichWeights } from '../../../engine/records/store.ts'
import { chosenWeights, type RequestedWeights } from '../../../engine/records/tested.ts'
import { weightsOf } from '../../export/choice.ts'
import { WeightsChoice } from '../../export/WeightsChoice.tsx'
import { host } from '../../host/state.ts'
import { useAnswer } from '../../host/useAnswer.ts'
import { runningKernel } from '../../session/kernel/control.ts'
import { AnswersView } from './AnswersView.tsx'
import { AskForm } from './AskForm.tsx'
import { askedOf, type Question } from './question.ts'
import { Why, WithoutParts } from './Why.tsx'

/** A run is shown something, and says what it holds likely. */
export function TryIt({ run }: { run: StoredRunDetails }) {
  const { id, hasWeights, step } = run
  const asked = askedOf(run)
  const [question, setQuestion] = useState<{ number: number; asked: Question } | null>(null)
  const [wanted, choose] = useState<RequestedWeights>('tested')
  const { value: kept } = useAnswer(`${id} ${step}`, () => host().listWeights(id))
  const whiches = weightsOf(kept ? [{ run, kept }] : [])
  const taken = whiches.some(([each]) => each === wanted) ? wanted : 'tested'
  const which = kept && whiches.length > 0 ? chosenWeights(run, kept, taken).which : 'last'
  const key = `${id} ${which} ${question?.number}`
  const { value, error } = useAnswer(key, async () => {
    if (!question) return null
    const kernel = await runningKernel()
    const weights = await host().readWeights(id, which)
    return { key, ...(await kernel.answer({ run, weights, question: question.asked })) }
  })
  if (!hasWeights || !asked) return null
  const ask = (next: Question) => setQuestion({ number: (question?.number ?? 0) + 1, asked: next })
  const waits = question !== null && value?.key !== key && error === null
  return (
    <section aria-labelledby="run-try" data-testid="try">
      <h2 id="run-try">Try it</h2>
      <div className="try">
        <div className="try-asked">
          <AskForm asked={asked} taken={value?.texts} onAsk={ask} />
          {whiches.length > 1 && (
            <WeightsChoice weights={whiches} value={taken} onChange={choose} testId="try-weights" />
          )}
          {asked.hint && <p className="muted">{asked.hint}</p>}
        </div>
        <div className="try-answer" aria-live="polite" aria-busy={waits}>
          {waits && <p className="muted">The model is made again, in the kernel.</p>}
          {error && <p className="bad">{error}</p>}
          {!error && value && <AnswersView said={value} />}
        </div>
      </div>
      {!error && value?.key === key && question && asked.explained && (
        <Why key={key} run={run} which={which} question={question.asked} />
      )}
      <EvaluateOn run={run} which={which} />
      <WithoutParts key={which} run={run} which={which} />
    </section>
  )
}

/** The metrics of a run on another data set. They are shown and not kept. */
function EvaluateOn({ run, which }: { run: StoredRunDetails; which: WhichWeights }) {
  const [text, setText] = useState('')
  const [asked, ask] = useState({ number: 0, data: '' })
  const key = `${run.id} ${which} ${asked.number}`
  const { value, error } = useAnswer(key, async () => {
    if (asked.number === 0) return null
    const kernel = await runningKernel()
    const weights = await host().readWeights(run.id, which)
    return { key, ...(await kernel.measure({ run, weights, data: asked.data })) }
  })
  const waits = asked.number > 0 && value?.key !== key && error === null
  return (
    <details className="try-elsewhere">
      <summary>On another data set</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) ask({ number: asked.number + 1, data: text.trim() })
        }}
      >
        <label>
          <span className="muted">
            file, folder, or as a cell names it: idx({'{'} path: 'digits' {'}'})
          </span>
          <input value={text} onChange={({ target }) => setText(target.value)} data-testid="try-data" />
        </label>
        <button type="submit" className="button">
          Evaluate
        </button>
      </form>
      <div aria-live="polite" aria-busy={waits}>
        {waits && <p className="muted">The kernel evaluates it.</p>}
        {error && <p className="bad">{error}</p>}
        {!error && value && (
          <>
            <p>
              {Object.entries(value.examples)
                .map(([part, count]) => `${part}, ${count.toLocaleString('en-US')} examples`)
                .join('; ')}
              ; not kept.
            </p>
            {value.notes.map((note) => (
              <p key={note} className="muted">
                {note}
              </p>
            ))}
            <table className="facts" data-testid="try-metrics">
              <tbody>
                {Object.entries(value.metrics).map(([name, { value, meaning }]) => (
                  <tr key={name}>
                    <th scope="row" title={meaningText(meaning)}>
                      {name}
                    </th>
                    <td className="number">{metricText(value, meaning)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </details>
  )
}
