import type { DiagramOperation } from './diagram.ts'
import type { DiagramNode } from './node.ts'
import { signatureOf } from './signature.ts'

/** The longest row of parts that is looked for as repeating. */
const MAX_PERIOD = 12

/** Operations alone are folded from so many repetitions on. */
const FEW = 3

/**
 * Some parts that follow each other, where equal ones stand once: they do the same with the same shapes, whatever they are
 * called, each reads what the one before it gave, and otherwise the same as it.
 */
export function folded(parts: DiagramNode[], operations: readonly DiagramOperation[]): DiagramNode[] {
  const found: DiagramNode[] = []
  for (let at = 0; at < parts.length; ) {
    const { period, count } = repetition(parts, at, operations)
    const unit = parts.slice(at, at + period).map((part) => {
      return { ...part, children: folded(part.children, operations) }
    })
    if (count === 1) found.push(...unit)
    else found.push(repeatOf(unit, parts.slice(at, at + period * count), count))
    at += period * count
  }
  return found
}

/** The row of parts at a place that is repeated and covers most; a row of one part that is not repeated where none is. */
function repetition(parts: DiagramNode[], at: number, operations: readonly DiagramOperation[]) {
  let best = { period: 1, count: 1 }
  for (let period = 1; period <= MAX_PERIOD && at + 2 * period <= parts.length; period++) {
    const rowAt = (i: number) => rangeOf(parts.slice(at + i * period, at + (i + 1) * period))
    let count = 1
    while (
      at + (count + 1) * period <= parts.length &&
      repeats(rowAt(count - 1), rowAt(count), operations, count === 1)
    ) {
      count++
    }
    const layers = parts.slice(at, at + period).some(({ kind }) => kind !== 'operation')
    if (count >= (layers ? 2 : FEW) && count * period > best.count * best.period) best = { period, count }
  }
  return best.count > 1 ? best : { period: 1, count: 1 }
}

interface Range {
  from: number
  to: number
}

const rangeOf = (row: DiagramNode[]): Range => ({
  from: row[0]?.from ?? 0,
  to: row.at(-1)?.to ?? 0,
})

/** Whether operations do what the ones before them do, with what these gave; in its place the first of all reads something else. */
function repeats(a: Range, b: Range, operations: readonly DiagramOperation[], isFirst: boolean): boolean {
  const shift = b.from - a.from
  if (shift <= 0 || b.to - a.to !== shift) return false
  let follows = false
  for (let i = a.from; i < a.to; i++) {
    const [one, other] = [operations[i] as DiagramOperation, operations[i + shift] as DiagramOperation]
    if (signatureOf(one) !== signatureOf(other) || one.scopes.length !== other.scopes.length) return false
    for (const [place, { operation: read = -1 }] of one.inputs.entries()) {
      const also = other.inputs[place]?.operation ?? -1
      const inside = read >= a.from
      if (inside !== also >= b.from) return false
      if (inside && also - read !== shift) return false
      if (!inside && also !== read && also - read !== shift && !(isFirst && also >= a.from)) return false
      if (!inside && also >= a.from) follows = true
    }
  }
  return follows
}

function repeatOf(unit: DiagramNode[], all: DiagramNode[], count: number): DiagramNode {
  const [first, last] = [all[0] as DiagramNode, all.at(-1) as DiagramNode]
  const sum = (of: (part: DiagramNode) => number) => all.reduce((total, part) => total + of(part), 0)
  return {
    ...last,
    kind: 'repeat',
    name: `${first.name} … ${last.name}`,
    from: first.from,
    count,
    children: unit.length === 1 && unit[0]?.children.length ? unit[0].children : unit,
    line: all.every(({ line }) => line === first.line) ? first.line : null,
    mark: all.every(({ mark }) => mark === first.mark) ? first.mark : 'changed',
    parameters: sum(({ parameters }) => parameters),
    macs: sum(({ macs }) => macs),
    bytes: sum(({ bytes }) => bytes),
  }
}
