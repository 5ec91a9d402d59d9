import { createElement, lazy, Suspense } from 'react'
import type { Body, TensorBody, TreeEntry } from '../protocol/body.ts'
import type { ValueView } from '../protocol/output.ts'
import { textOfValue } from '../ui/tableRows.ts'
import { FigureBody } from './FigureBody.tsx'
import { ImagesView } from './ImagesView.tsx'

// what is drawn of data is drawn seldom
const DataBodyView = lazy(async () => ({ default: (await import('../datacard/DataBodyView.tsx')).DataBodyView }))

/** What `display` has shown, in that order. */
export function ValueList({ values }: { values: ValueView[] }) {
  if (values.length === 0) return null
  const blocks = values.map((view) => createElement(ValueBlock, { view }))
  return createElement('div', { className: 'values', 'data-testid': 'displays' }, ...blocks) // they never change places
}

/** A value below its cell. */
export function ValueBlock({ view }: { view: ValueView }) {
  const { kind, text, body } = view
  if (!body) {
    return (
      <pre className="value" data-testid="value" title={kind}>
        {kind.includes(' ') && <span className="value-kind">{kind}</span>}
        {text}
      </pre>
    )
  }
  return (
    <div className="value-block" data-testid="value" data-kind={body.type}>
      {(body.type === 'tensor' || body.type === 'images' || body.type === 'tree') && (
        <span className="value-kind">{kind}</span>
      )}
      <BodyView body={body} text={text} />
    </div>
  )
}

function BodyView({ body, text }: { body: Body; text: string }) {
  switch (body.type) {
    case 'tensor':
      return <TensorView body={body} text={text} />
    case 'images':
      return <ImagesView body={body} />
    case 'tree':
      return <TreeView entries={body.entries} />
    case 'data':
      return (
        <Suspense>
          <DataBodyView body={body} />
        </Suspense>
      )
    default:
      return <FigureBody figure={body} label={text} />
  }
}

/** Nested values, to be opened one by one. */
function TreeView({ entries }: { entries: TreeEntry[] }) {
  return createElement('ul', { className: 'tree' }, ...entries.map(entry)) // entries never change places
}

function entry({ name, text, entries }: TreeEntry) {
  const line = (
    <>
      <span className="tree-name">{name}</span> {text}
    </>
  )
  if (!entries) return <li>{line}</li>
  return (
    <li>
      <details>
        <summary>{line}</summary>
        <TreeView entries={entries} />
      </details>
    </li>
  )
}

/** A tensor: the extent of its values, and the values as a figure, else the first of them. */
function TensorView({ body, text }: { body: TensorBody; text: string }) {
  const { min, max, mean, notFinite, figure } = body
  return (
    <>
      <dl className="extent">
        <Fact name="min" value={min} />
        <Fact name="max" value={max} />
        <Fact name="mean" value={mean} />
        {notFinite > 0 && <Fact name="not finite" value={notFinite} />}
      </dl>
      {figure ? <FigureBody figure={figure} label="values of a tensor" /> : <pre className="value">{text}</pre>}
    </>
  )
}

function Fact({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{textOfValue(value)}</dd>
    </div>
  )
}
