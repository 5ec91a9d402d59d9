import type { ShownExample } from '../../engine/examples/shown.ts'
import { PartView } from '../datacard/PartView.tsx'
import { type Answer, Guesses, Texts } from './ExampleTexts.tsx'
import '../styles/datacard.css'

interface ExampleProps {
  /** Null until it is drawn. */
  example: ShownExample | null
  /** What models answered: characters of the last text; of none both are -1. */
  answers?: readonly Answer[] | undefined
  /** Who says what is drawn as predicted, where several runs are shown. */
  by?: string | null | undefined
  /** What the second of two runs says, where that is drawn. */
  other?: { by: string | null; example: ShownExample | null } | null
}

/** An example as the model reads it, or its texts, and what models said where that is drawn. */
export function ExampleView({ example, answers = [], by, other }: ExampleProps) {
  if (!example) return <div className="example-waits muted">drawing</div>
  const { parts, texts, guesses } = example
  if (texts) return <Texts texts={texts} answers={answers} />
  if (guesses) {
    return (
      <>
        {by && <span className="muted">guesses of {by}</span>}
        <Guesses text={guesses} />
        {other?.example?.guesses && (
          <>
            <span className="muted">guesses of {other.by}</span>
            <Guesses text={other.example.guesses} />
          </>
        )}
      </>
    )
  }
  const predicted = other?.example?.parts.filter(({ name }) => name === 'predicted') ?? []
  return (
    <div className="example-parts">
      {parts
        .filter(({ name, part }) => part.type !== 'class' && !(name === 'target' && part.type === 'values'))
        .map(({ name, part }, _, all) => (
          <PartView key={name} part={part} name={all.length > 1 ? nameOf(name, by) : undefined} />
        ))}
      {predicted.map(({ name, part }) => (
        <PartView key={`other ${name}`} part={part} name={nameOf(name, other?.by)} />
      ))}
    </div>
  )
}

/** What a part is called here. */
function nameOf(name: string, by: string | null | undefined): string {
  if (name === 'target' || name === 'series') return 'truth'
  return name === 'predicted' && by ? `predicted by ${by}` : name
}
