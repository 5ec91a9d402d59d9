import { useState } from 'react'
import { meaningText, metricText } from '../../../engine/records/meaning.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import type { WhichWeights } from '../../../engine/records/store.ts'
import { host } from '../../host/state.ts'
import { useAnswer } from '../../host/useAnswer.ts'
import { runningKernel } from '../../session/kernel/control.ts'

/** The metrics of a run on another data set. They are shown and not kept. */
export function EvaluateOn({ run, which }: { run: StoredRunDetails; which: WhichWeights }) {
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
