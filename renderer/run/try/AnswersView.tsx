import type { Answer } from '../../../engine/predict/answer.ts'
import type { Generated } from '../../../engine/predict/generate.ts'
import type { Said } from '../../../engine/predict/said.ts'
import { PartView } from '../../datacard/PartView.tsx'

/** What a model says, beside what it saw. */
export function AnswersView({ said: { answers, parts, written } }: { said: Said }) {
  return (
    <>
      {answers.map((answer) => !answer.mask && !answer.forecast && <Likely key={answer.place ?? 0} answer={answer} />)}
      {written && <Written written={written} />}
      {parts.length > 0 && (
        <div className="try-parts">
          {parts.map(({ name, part }) => (
            <PartView key={name} name={name} part={part} />
          ))}
        </div>
      )}
      {answers.map(({ forecast }) => forecast && <Forecast key="forecast" steps={forecast} />)}
      {answers.map(({ note }) => note && <p key={note}>{note}</p>)}
    </>
  )
}

/** The values of a forecast, to be copied. */
function Forecast({ steps }: { steps: number[][] }) {
  return (
    <details>
      <summary>Values</summary>
      <pre className="try-values">{steps.map((values) => values.map(short).join(', ')).join('\n')}</pre>
    </details>
  )
}

const short = (value: number) => String(Number(value.toPrecision(6)))

/** A text that a model has gone on with. */
function Written({ written: { prompt, text, tokens, stopped } }: { written: Generated }) {
  return (
    <>
      <p className="try-written" data-testid="try-written">
        <strong>{prompt}</strong>
        {text}
      </p>
      <p className="muted">
        {tokens} {tokens === 1 ? 'token' : 'tokens'}
        {stopped ? ', ended at the text to stop at' : ''}
      </p>
    </>
  )
}

/** What a model holds likely, with bars. */
function Likely({ answer: { place, likely } }: { answer: Answer }) {
  return (
    <table className="likely" data-testid="likely">
      {place !== undefined && <caption className="muted">[MASK] {place}</caption>}
      <tbody>
        {likely.map(({ name, probability }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two parts of a passage may have the same text
          <tr key={i}>
            <th scope="row">{name}</th>
            <td className="likely-bar">
              <div style={{ width: `${100 * probability}%` }} />
            </td>
            <td className="number">{(100 * probability).toFixed(1)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
