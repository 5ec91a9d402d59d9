import { createElement, useId } from 'react'
import type { Sample, Samples } from '../../engine/datacard/schema.ts'
import { PartView } from './PartView.tsx'

interface SamplesProps {
  samples: Samples
  what: string
  /** A heading on a page of its own; in a cell it would stand among those of the notebook. */
  head?: 'h2' | 'p'
}

/** Examples in a grid: pictures, clouds and series side by side, texts one below the other. */
export function SamplesView({ samples: { title, samples, notes }, what, head: Head = 'p' }: SamplesProps) {
  const id = useId()
  const isText = samples.some(({ parts }) => parts.some(({ part }) => part.type === 'tokens' || part.type === 'text'))
  const items = samples.map((sample) => createElement(SampleView, { sample })) // they are known by their places
  return (
    <section aria-labelledby={id}>
      <Head id={id} className="data-head">
        {what} <span className="muted">{title}</span>
      </Head>
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      {createElement(
        'ul',
        { className: isText ? 'data-samples texts' : 'data-samples', 'data-testid': 'samples' },
        ...items,
      )}
      {isText && <Marks samples={samples} />}
    </section>
  )
}

function SampleView({ sample: { title, parts } }: { sample: Sample }) {
  return (
    <li>
      <span className="muted data-title">{title}</span>
      {parts.map(({ name, part }) => (
        <PartView key={name} part={part} name={parts.length > 2 || part.type === 'tokens' ? name : undefined} />
      ))}
    </li>
  )
}

/** What the marks of tokens say, those that are there. */
const MARKS = {
  masked: 'masked: [MASK] stands for the token below it',
  replaced: 'replaced: any token stands for the one below it',
  kept: 'kept: asked for, but not changed',
  answer: 'the answer',
  unknown: 'not in the vocabulary',
  special: 'special token',
  padding: 'padding, which the model does not look at',
  next: 'the next token',
} as const

function Marks({ samples }: Pick<Samples, 'samples'>) {
  const all = samples.flatMap(({ parts }) => parts.flatMap(({ part }) => (part.type === 'tokens' ? part.tokens : [])))
  const there = new Set(all.map(({ is }) => is))
  const shown = (Object.keys(MARKS) as (keyof typeof MARKS)[]).filter((mark) => there.has(mark))
  return (
    <dl className="data-marks">
      {shown.map((mark) => (
        <div key={mark}>
          <dt>
            <span className="token" data-is={mark}>
              {mark}
            </span>
          </dt>
          <dd>{MARKS[mark]}</dd>
        </div>
      ))}
      {all.some(({ second }) => second) && (
        <div>
          <dt>
            <span className="token" data-second="true">
              second
            </span>
          </dt>
          <dd>of the second text</dd>
        </div>
      )}
    </dl>
  )
}
