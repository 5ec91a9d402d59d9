import type { DataCard } from '../../engine/datacard/schema.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import { PartView } from './PartView.tsx'

/** What a data set says of itself; `named` where no heading says which it is. */
export function CardView({ card, named = false }: { card: DataCard; named?: boolean }) {
  const { name, expression, kind, task, splits, shape, source, licence, hash, notices, looked } = card
  const sizes = splits.map((split) => `${split.name} ${split.size.toLocaleString('en-US')}`).join(', ')
  const facts = [
    ...(named ? [['data', expression]] : []),
    ['holds', kind],
    ['splits', `${sizes} ${splits[0]?.unit ?? 'examples'}`],
    ['parts', shape],
    ['read for', `${task}()`],
    ['from', source],
    ['licence', licence ?? 'not stated'],
  ]
  return (
    <section className="card-of-data" aria-label={`data set ${name}`}>
      {notices.length > 0 && (
        <ul className="data-notices" data-testid="data-notices">
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      <dl className="data-facts">
        {facts.map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>SHA-256</dt>
          <dd>
            <code>{hash}</code>
          </dd>
        </div>
      </dl>
      <p className="muted">{looked}</p>
      {card.classes && <Classes classes={card.classes} splits={splits.map((split) => split.name)} />}
    </section>
  )
}

interface ClassesProps {
  classes: NonNullable<DataCard['classes']>
  splits: string[]
}

/** Classes with their counts in each split, bars of those of the first, and an example of each. */
function Classes({ classes: { of, list, left }, splits }: ClassesProps) {
  const most = Math.max(1, ...list.map(({ counts }) => counts[0] ?? 0))
  return (
    <div className="data-classes">
      <ScrollBox label="classes">
        <table>
          <thead>
            <tr>
              <th scope="col">class</th>
              {splits.map((split) => (
                <th key={split} scope="col" className="number">
                  {split}
                </th>
              ))}
              <th scope="col">{splits[0]}, of the largest</th>
              <th scope="col">example</th>
            </tr>
          </thead>
          <tbody>
            {list.map(({ name, counts, example }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {splits.map((split, i) => (
                  <td key={split} className="number">
                    {(counts[i] ?? 0).toLocaleString('en-US')}
                  </td>
                ))}
                <td className="data-bar">
                  <div style={{ width: `${(100 * (counts[0] ?? 0)) / most}%` }} />
                </td>
                <td>{example && <Example example={example} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {left > 0 && <p className="muted">{left} more classes</p>}
      {of !== 'examples' && <p className="muted">counted in {of}</p>}
    </div>
  )
}

/** The first part of an example, small. */
function Example({ example }: { example: NonNullable<ClassesProps['classes']['list'][number]['example']> }) {
  const parts = example.parts.filter(({ part }) => part.type !== 'class')
  return (
    <div className="data-example" title={example.title}>
      {parts.slice(0, 2).map(({ name, part }) => (
        <PartView key={name} part={part} small />
      ))}
    </div>
  )
}
