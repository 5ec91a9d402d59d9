import { createElement } from 'react'
import type { MaskedText } from '../../engine/records/report.ts'
import type { ExampleText } from '../../engine/tasks/types.ts'

/** What a model answered: characters `start` to `end` (not included) of a passage; both -1 for none. */
export interface Answer {
  start: number
  end: number
}

/** The texts of an example; answers are parts of the last one. */
export function Texts({ texts, answers }: { texts: readonly ExampleText[]; answers: readonly Answer[] }) {
  return (
    <div className="example-texts">
      {texts.map((text, i) => (
        <TextView key={text.name} text={text} answers={i === texts.length - 1 ? answers : []} />
      ))}
    </div>
  )
}

/** A text with what is right underlined, and what was answered on a ground of its own. */
function TextView({
  text: { name, text, answers: right = [] },
  answers,
}: {
  text: ExampleText
  answers: readonly Answer[]
}) {
  const ends = new Set([0, text.length])
  for (const { start, end } of [...right, ...answers]) if (start >= 0) ends.add(start).add(end)
  const places = [...ends].sort((a, b) => a - b)
  const within = (spans: readonly Answer[], at: number) => spans.findIndex(({ start, end }) => start <= at && at < end)
  const pieces = places.slice(0, -1).map((from, i) => {
    const said = within(answers, from)
    const isRight = within(right, from) >= 0
    return createElement(
      said >= 0 ? 'mark' : 'span',
      {
        'data-right': isRight || undefined,
        'data-said': said >= 0 ? said + 1 : undefined,
        title: titleOf(isRight, said >= 0),
      },
      text.slice(from, places[i + 1]),
    )
  })
  return (
    <p className="example-text">
      <span className="muted">{name} </span>
      {createElement('span', null, ...pieces)}
    </p>
  )
}

const titleOf = (isRight: boolean, isSaid: boolean) =>
  [isRight && 'right', isSaid && 'answered'].filter(Boolean).join(', ') || undefined

/** A text with a box for each masked token: what stood there, and the likeliest guesses. */
export function Guesses({ text: { tokens, masked } }: { text: MaskedText }) {
  const at = new Map(masked.map((each) => [each.place, each]))
  const words = tokens.map((token, place) => {
    const asked = at.get(place)
    if (!asked) return createElement('span', null, token)
    const right = asked.likely[0]?.token === asked.token
    const guesses = asked.likely.map((each) =>
      createElement('small', null, `${each.token} ${Math.round(100 * each.probability)}%`),
    )
    return createElement(
      'span',
      { className: 'guess', 'data-right': right },
      createElement('strong', null, `${asked.token} ${right ? '✓' : '✗'}`),
      ...guesses,
    )
  })
  return createElement('div', { className: 'example-masked' }, ...words)
}
