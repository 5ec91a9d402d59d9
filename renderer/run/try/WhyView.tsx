import { useState } from 'react'
import { mixingOf, type PictureExplanation, whyPicture } from '../../../engine/charts/weights/why.ts'
import type { Explanation } from '../../../engine/records/explanation.ts'
import { ChartView } from '../../charts/ChartView.tsx'
import { pageChart } from '../../charts/pageChart.ts'
import { useFigureStyle } from '../../charts/useFigureStyle.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Shares } from './Shares.tsx'

/** Why a model gives its answer: what of the input speaks for it, which tokens come together, what is lost without a part. */
export function WhyView({ explanation }: { explanation: Explanation }) {
  const { name, probability, grid, units, drops, mixing, parts } = explanation
  const style = useFigureStyle()
  const [token, choose] = useState('0')
  const tokens = mixing.at(-1)?.tokens ?? 0
  const chosen = Math.min(Number(token), tokens - 1)
  return (
    <div className="why" data-testid="why">
      <h3>
        Why {name}, {percent(probability)}
      </h3>
      {isPicture(explanation) && <ChartView chart={pageChart(style, (style) => whyPicture(explanation, style))} />}
      {!grid && units.length > 0 && (
        <>
          <p className="muted">
            Of the probability this is lost where a word is masked, or a point moved to the middle.
          </p>
          <div className="tokens">
            <div className="token-row">
              {units.map((unit, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: units may have the same name
                <span key={i} className="token">
                  <span>{unit}</span>
                  <small>{percent(drops[i] ?? 0)}</small>
                </span>
              ))}
            </div>
          </div>
        </>
      )}
      {tokens > 0 && (
        <>
          <Choice
            label="token"
            options={Array.from({ length: tokens }, (_, i) => [String(i), nameOf(i, units, tokens)] as const)}
            value={String(chosen)}
            onChange={choose}
            testId="why-token"
          />
          <ChartView chart={pageChart(style, (style) => mixingOf(explanation, tokens, chosen, style))} />
        </>
      )}
      <Shares
        title={`probability of ${name} where a part does nothing`}
        whole={probability}
        shares={parts.map((part) => ({ name: part.name, value: part.probability }))}
      />
    </div>
  )
}

const percent = (share: number) => `${(100 * share).toFixed(1).replace(/^-0.0$/, '0.0')} %`

/** What a token is called: by the patch that it is, where there are as many. */
const nameOf = (token: number, units: readonly string[], tokens: number) =>
  units.length === tokens ? `${token + 1}, ${units[token]}` : String(token + 1)

const isPicture = (explanation: Explanation): explanation is Explanation & PictureExplanation =>
  explanation.grid !== null
