import type { Answer } from '../../../engine/predict/answer.ts'

/** What a model holds likely, with bars. */
export function AnswerView({ answer: { place, likely } }: { answer: Answer }) {
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
