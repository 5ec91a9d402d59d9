import type { DiagramOperation } from './diagram.ts'
import type { DiagramNode } from './node.ts'
import { signatureOf } from './signature.ts'

/** A part of a tree of scopes alone. */
export interface ScopeNode extends DiagramNode {
  /** Full name of its scope; '' for operations. */
  scope: string
  children: ScopeNode[]
}

/** Parts that are the same in two models, or that one of them alone has. */
export interface Pair {
  a: ScopeNode | null
  b: ScopeNode | null
  /** Of two that have parts, these. */
  inside: Pair[] | null
}

/** From this likeness on, two parts are the same part, changed. */
const LIKE = 0.3

/** What a part is like: equal parts have the same number. */
interface Kind {
  id: number
  operations: number
  /** How often it does what. */
  counts: Map<string, number>
}

/** How the parts of two models pair, and how often two parts were compared for that. */
export interface Alignment {
  pairs: Pair[]
  compared: number
}

/** Pairs the parts of two models in their order, so that as much as can be is the same. Names decide only between equals. */
export function alignment(
  a: ScopeNode,
  b: ScopeNode,
  ofA: readonly DiagramOperation[],
  ofB: readonly DiagramOperation[],
): Alignment {
  const ids = new Map<string, number>()
  const kinds = new Map<ScopeNode, Kind>()
  const likenesses = new Map<string, number>()

  function kindOf(node: ScopeNode, operations: readonly DiagramOperation[]): Kind {
    const inside = node.children.map((child) => kindOf(child, operations).id)
    const isOperation = node.kind === 'operation'
    const key = isOperation ? signatureOf(operations[node.from] as DiagramOperation) : `(${inside})`
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    const counts = new Map<string, number>()
    for (const operation of operations.slice(node.from, node.to)) {
      const signature = signatureOf(operation)
      counts.set(signature, (counts.get(signature) ?? 0) + 1)
    }
    const kind = { id, operations: node.to - node.from, counts }
    kinds.set(node, kind)
    return kind
  }

  /** From 0 for parts that have nothing to do with each other to 1 for equal ones. */
  function likeness(one: ScopeNode, other: ScopeNode): number {
    if ((one.kind === 'operation') !== (other.kind === 'operation')) return 0
    const [p, q] = [kinds.get(one) as Kind, kinds.get(other) as Kind]
    if (p.id === q.id) return 1
    const key = `${p.id} ${q.id}`
    const known = likenesses.get(key) ?? measured(one, other, p, q)
    likenesses.set(key, known)
    return one.kind !== 'operation' && one.name === other.name ? Math.max(known, LIKE) : known
  }

  function measured(one: ScopeNode, other: ScopeNode, p: Kind, q: Kind): number {
    if (one.kind === 'operation') {
      const [x, y] = [ofA[one.from] as DiagramOperation, ofB[other.from] as DiagramOperation]
      if (x.kernel !== y.kernel) return 0
      return String(x.shapes) === String(y.shapes) ? 0.8 : 0.5
    }
    let same = 0
    for (const [signature, count] of p.counts) same += Math.min(count, q.counts.get(signature) ?? 0)
    const kernels = sharedKernels(p, q)
    return (0.7 * same + 0.3 * kernels) / Math.max(p.operations, q.operations, 1)
  }

  function paired(as: ScopeNode[], bs: ScopeNode[]): Pair[] {
    let start = 0
    while (start < as.length && start < bs.length && isSame(as[start], bs[start])) start++
    let end = 0
    while (
      start + end < as.length &&
      start + end < bs.length &&
      isSame(as[as.length - 1 - end], bs[bs.length - 1 - end])
    ) {
      end++
    }
    const both = (from: number, to: number, shift: number) =>
      as.slice(from, to).map((a, i) => pairOf(a, bs[from + i + shift] as ScopeNode))
    const shift = bs.length - as.length
    return [
      ...both(0, start, 0),
      ...between(as.slice(start, as.length - end), bs.slice(start, bs.length - end)),
      ...both(as.length - end, as.length, shift),
    ]
  }

  const isSame = (one?: ScopeNode, other?: ScopeNode) => {
    return one && other && kinds.get(one)?.id === kinds.get(other)?.id && one.kind === other.kind
  }

  /** By the most likeness in all, weighted by the number of operations. */
  function between(as: ScopeNode[], bs: ScopeNode[]): Pair[] {
    const worth = (i: number, j: number) => {
      const [one, other] = [as[i] as ScopeNode, bs[j] as ScopeNode]
      const like = likeness(one, other)
      if (like < LIKE) return 0
      const equal = one.name === other.name ? 1e-3 : 0
      return (like + equal) * (one.to - one.from + other.to - other.from)
    }
    const best = Array.from({ length: as.length + 1 }, () => new Float64Array(bs.length + 1))
    for (let i = as.length - 1; i >= 0; i--) {
      for (let j = bs.length - 1; j >= 0; j--) {
        const skip = Math.max(best[i + 1]?.[j] ?? 0, best[i]?.[j + 1] ?? 0)
        const gain = worth(i, j)
        const row = best[i] as Float64Array
        row[j] = gain > 0 ? Math.max(skip, gain + (best[i + 1]?.[j + 1] ?? 0)) : skip
      }
    }
    const pairs: Pair[] = []
    let [i, j] = [0, 0]
    while (i < as.length || j < bs.length) {
      const here = best[i]?.[j] ?? 0
      if (i < as.length && j < bs.length) {
        const gain = worth(i, j)
        if (gain > 0 && here === gain + (best[i + 1]?.[j + 1] ?? 0)) {
          pairs.push(pairOf(as[i++] as ScopeNode, bs[j++] as ScopeNode))
          continue
        }
      }
      if (i < as.length && (j >= bs.length || here === (best[i + 1]?.[j] ?? 0))) {
        pairs.push({ a: as[i++] as ScopeNode, b: null, inside: null })
      } else pairs.push({ a: null, b: bs[j++] as ScopeNode, inside: null })
    }
    return pairs
  }

  function pairOf(a: ScopeNode, b: ScopeNode): Pair {
    return { a, b, inside: a.kind === 'operation' ? null : paired(a.children, b.children) }
  }

  kindOf(a, ofA)
  kindOf(b, ofB)
  return { pairs: paired(a.children, b.children), compared: likenesses.size }
}

/** How many operations two parts have in common, by their kernels alone. */
function sharedKernels(p: Kind, q: Kind): number {
  const byKernel = ({ counts }: Kind) => {
    const found = new Map<string, number>()
    for (const [signature, count] of counts) {
      const [kernel = ''] = signature.split(';', 1)
      found.set(kernel, (found.get(kernel) ?? 0) + count)
    }
    return found
  }
  const [one, other] = [byKernel(p), byKernel(q)]
  return [...one].reduce((sum, [kernel, count]) => sum + Math.min(count, other.get(kernel) ?? 0), 0)
}
