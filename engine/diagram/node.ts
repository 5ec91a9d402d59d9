import { type Costs, type DiagramOperation, type Mark, sumOf } from './diagram.ts'

/** A part of a model, with the parts inside it. */
export interface DiagramNode extends Costs {
  /** Its place in the tree; the same for the same model. */
  id: string
  kind: 'model' | 'layer' | 'call' | 'repeat' | 'operation'
  /** Below the name of what is around it. */
  name: string
  /** Its operations are those from here and before there; of a repeat, of all that is repeated. */
  from: number
  to: number
  /** Of a repeat, how often it follows itself; else 1. */
  count: number
  /** Of a repeat, what is inside the first. */
  children: DiagramNode[]
  /** What it gives. */
  shape: number[]
  /** `<cell>:<line>`, where all of it comes from there. */
  line: string | null
  /** In the difference of two models: of all of it, or `changed` where something inside is marked. */
  mark: Mark | null
  /** The code fails here. */
  wrong: string | null
}

/** A part of some operations, with nothing inside it yet. */
export function nodeOf(
  kind: DiagramNode['kind'],
  name: string,
  operations: readonly DiagramOperation[],
  from: number,
  to: number,
): DiagramNode {
  const own = operations.slice(from, to)
  const lines = new Set(own.map(({ place }) => place?.line ?? null))
  const marks = new Set(own.map(({ mark = null }) => mark))
  const [line = null] = lines.size === 1 ? lines : []
  const [mark = null] = marks.size > 1 ? ['changed' as const] : marks
  const shape = own.at(-1)?.shapes[0] ?? []
  return { id: '', kind, name, from, to, count: 1, children: [], shape, line, mark, wrong: null, ...sumOf(own) }
}
