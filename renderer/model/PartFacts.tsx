import type { Diagram, OperationInput } from '../../engine/diagram/diagram.ts'
import { shapeText, shortBytes, shortTime } from '../../engine/diagram/names.ts'
import type { DiagramNode } from '../../engine/diagram/node.ts'
import { whatOf } from '../../engine/diagram/table.ts'
import { Button } from '../ui/Button.tsx'

interface PartFactsProps {
  part: DiagramNode
  diagram: Diagram
  /** Measured milliseconds; null where they are not known. */
  ms: number | null
  onLine?: ((line: string) => void) | undefined
}

/** All that is known of one part of a model. */
export function PartFacts({ part, diagram, ms, onLine }: PartFactsProps) {
  const { kind, name, count, shape, parameters, macs, bytes, line, mark, from } = part
  const operation = kind === 'operation' ? diagram.operations[from] : undefined
  const facts: [string, string][] = [
    ['what', whatOf(part, operation)],
    ...(count > 1 ? [['repeated', `${count} times`] satisfies [string, string]] : []),
    ['gives', shapeText(shape)],
    ...(operation?.inputs ?? []).map((input): [string, string] => ['reads', inputText(input, diagram)]),
    ['parameters', parameters.toLocaleString('en-US')],
    ['multiply-adds', macs.toLocaleString('en-US')],
    ['memory', shortBytes(bytes)],
    ...(ms === null ? [] : [['time', shortTime(ms)] satisfies [string, string]]),
    ...(mark
      ? [['difference', operation?.was ? `${mark}, was ${operation.was}` : mark] satisfies [string, string]]
      : []),
  ]
  return (
    <section className="part-facts" aria-label={`facts of ${name}`} aria-live="polite" data-testid="part-facts">
      <h3>{name}</h3>
      <dl>
        {facts.map(([label, text], i) => (
          <div key={`${label} ${facts.slice(0, i).filter(([other]) => other === label).length}`}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {line !== null &&
        (onLine ? (
          <Button look="small" onClick={() => onLine(line)}>
            {line}
          </Button>
        ) : (
          <p className="muted">{line}</p>
        ))}
    </section>
  )
}

function inputText({ shape, operation, parameter, constant, mark }: OperationInput, { operations }: Diagram): string {
  const by = operation === undefined ? 'what the model reads' : (operations[operation]?.name ?? '')
  const what = parameter ?? (constant === undefined ? by : `constant ${constant}`)
  return `${what}, ${shapeText(shape)}${mark ? ` (${mark})` : ''}`
}
