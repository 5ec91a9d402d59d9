import { useState } from 'react'
import { mixingOf, type PictureExplanation, whyPicture } from '../../../engine/charts/weights/why.ts'
import type { Explanation } from '../../../engine/records/explanation.ts'
import { ChartView } from '../../charts/ChartView.tsx'
import { pageChart } from '../../charts/pageChart.ts'
import { useFigureStyle } from '../../charts/useFigureStyle.ts'
import { CloudView } from '../../datacard/CloudView.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Shares } from './Shares.tsx'

/** Why a model gives its answer: what of the input speaks for it, which tokens come together, what is lost without a part. */
export function WhyView({ explanation }: { explanation: Explanation }) {
  const { name, probability, grid, cloud, places, units, drops, mixing, parts } = explanation
  const style = useFigureStyle()
  const [token, choose] = useState('0')
  const tokens = mixing.at(-1)?.tokens ?? 0
  /** What a token is called: by the word that stands there, or by its patch or point, where there are as many. */
  const nameOf = (at: number) => {
    const unit = places ? places.indexOf(at) : units.length === tokens ? at : -1
    return unit < 0 ? String(at + 1) : `${at + 1}, ${units[unit]}`
  }
  const chosen = Math.min(Number(token), tokens - 1)
  const most = Math.max(...drops.map(Math.abs))
  return (
    <div className="why" data-testid="why">
      <h3>
        Why {name}, {percent(probability)}
      </h3>
      {isPicture(explanation) && <ChartView chart={pageChart(style, (style) => whyPicture(explanation, style))} />}
      {cloud && (
        <>
          <p className="muted">
            The larger a point, the more the probability changes where it is moved to the middle, at most by{' '}
            {percent(most)}: blue where it is lost, orange where it is gained.
          </p>
          <CloudView part={{ type: 'points', points: cloud }} weights={drops} />
        </>
      )}
      {!grid && !cloud && units.length > 0 && (
        <>
          <p className="muted">Of the probability this is lost where a word is masked: blue lost, orange gained.</p>
          {textsOf(explanation).map((words) => (
            <div key={words[0]?.place} className="token-row">
              {words.map(({ place, unit, drop }) => (
                <span key={place} className="token" data-tinted style={{ background: tint(drop, most) }}>
                  <span>{unit}</span>
                  <small>{percent(drop)}</small>
                </span>
              ))}
            </div>
          ))}
        </>
      )}
      {tokens > 0 && (
        <>
          <Choice
            label="token"
            options={Array.from({ length: tokens }, (_, i) => [String(i), nameOf(i)] as const)}
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

const percent = (share: number) =>
  `${(100 * share)
    .toFixed(1)
    .replace(/^-0.0$/, '0.0')
    .replace('-', '−')} %`

/** Blue for what is lost and orange for what is gained, as strong as its share of the most. */
function tint(drop: number, most: number): string {
  const share = most > 0 ? Math.round((40 * Math.abs(drop)) / most) : 0
  return `color-mix(in srgb, var(--series-${drop < 0 ? 2 : 1}) ${share}%, var(--surface))`
}

/** The words of each text, in rows; between two texts stands a token that is no word. */
function textsOf({ units, places, drops }: Explanation) {
  const rows: { place: number; unit: string; drop: number }[][] = []
  for (const [i, unit] of units.entries()) {
    const place = places?.[i] ?? i
    const row = rows.at(-1)
    const word = { place, unit, drop: drops[i] ?? 0 }
    if (row?.at(-1)?.place === place - 1) row.push(word)
    else rows.push([word])
  }
  return rows
}

const isPicture = (explanation: Explanation): explanation is Explanation & PictureExplanation =>
  explanation.grid !== null
