import { createElement } from 'react'
import type { Body } from '../protocol/body.ts'
import type { ValueView } from '../protocol/output.ts'
import { FigureBody } from './FigureBody.tsx'
import { ImagesView } from './ImagesView.tsx'
import { TensorView } from './TensorView.tsx'
import { TreeView } from './TreeView.tsx'

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
    default:
      return <FigureBody figure={body} label={text} />
  }
}
