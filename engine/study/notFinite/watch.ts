import * as tf from '@tensorflow/tfjs-core'
import { type Observed, observeOperations, valuesNow } from '../../compile/observingBackend.ts'
import { currentScopes } from '../../nn/scope.ts'
import { lineOf } from '../../notebook/location.ts'
import { type Range, rangeOf } from './range.ts'

/** In which part of a training step an operation is. */
export type Phase = 'forward' | 'backward' | 'clipping' | 'update'

/** An operation whose result has values that are not finite. */
export interface BadOperation {
  kernel: string
  phase: Phase
  /** The operation of the forward pass whose gradient it is a part of; null in other phases. */
  gradientOf: string | null
  /** `<cell>:<line>` of the code, backward of what it is the gradient of; null for code of no cell. */
  line: string | null
  /** The layer, e.g. `blocks.3.mlp`; null outside of the model. */
  layer: string | null
  inputs: Range[]
  result: Range
}

/** What was seen of an operation with a bad result: also those before it whose bad results it got, in the order of its inputs. */
interface Seen extends BadOperation {
  order: number
  from: Seen[]
}

/** Watches a training step, operation by operation. */
export interface StepWatch {
  /** To be called around the forward pass. */
  forward<T>(run: () => T): T
  /** To be called around the update of the parameters. */
  update<T>(run: () => T): T
  /** What tensors are called that no operation makes. */
  name(tensors: tf.NamedTensorMap): void
  /** The first operation from which the bad values of a tensor come, and the one that made them NaN if that is another. */
  originOf(tensor: tf.TensorInfo): { first: BadOperation; turned: BadOperation | null } | null
  end(): void
}

interface TapeNode {
  kernelName: string
  gradient?: ((...given: unknown[]) => Record<string, () => tf.Tensor>) | undefined
}

/** Where the code stands. */
type Place = Pick<BadOperation, 'line' | 'layer' | 'gradientOf'>

/** Looks at the result of every operation of the current backend, which has to be readable at once, until `end`. */
export function watchStep(): StepWatch {
  const seen = new WeakMap<object, Seen>()
  const names = new WeakMap<object, string>()
  let phase: Phase | null = null
  let order = 0
  /** Of the forward operation whose gradient is computed. */
  let backward: Place | null = null

  const here = (): Place => {
    const [line, layer] = [lineOf(new Error('here')), currentScopes().at(-1) ?? null]
    const of = phaseNow() === 'backward' ? backward : null
    return { line: line ?? of?.line ?? null, layer: layer ?? of?.layer ?? null, gradientOf: of?.gradientOf ?? null }
  }

  /** Notes for each operation of the tape where it is, so that its gradient belongs there, too. */
  function watchTape(): void {
    const tape = tf.engine().state.activeTape as unknown as TapeNode[] | null
    if (!tape) return
    tape.push = (...nodes) => {
      for (const node of nodes) {
        const { gradient } = node
        const place = { ...here(), gradientOf: node.kernelName }
        const inside = <T>(run: () => T): T => {
          backward = place
          return run() // what follows until the next gradient adds up what this one gave
        }
        node.gradient =
          gradient &&
          ((...given) => {
            const thunks = inside(() => gradient(...given))
            return Object.fromEntries(Object.entries(thunks).map(([name, thunk]) => [name, () => inside(thunk)]))
          })
      }
      return Array.prototype.push.apply(tape, nodes)
    }
  }

  function phaseNow(): Phase {
    if (phase) return phase
    return tf.engine().state.activeTape ? 'backward' : 'clipping'
  }

  function observe({ kernel, operands, results }: Observed): void {
    order++
    const [result, ...more] = results.filter((each) => !allFinite(each))
    if (!result) return
    const inputs = Object.entries(operands).flatMap(([name, given]) => (given ? [[name, given] as const] : []))
    const entry: Seen = {
      kernel,
      phase: phaseNow(),
      ...here(),
      inputs: inputs.map(([name, given]) => rangeOf(valuesOf(given), given.shape, names.get(given.dataId) ?? name)),
      result: rangeOf(valuesOf(result), result.shape, ''),
      order,
      from: inputs.flatMap(([, { dataId }]) => seen.get(dataId) ?? []),
    }
    for (const { dataId } of [result, ...more]) seen.set(dataId, entry)
  }

  const end = observeOperations(observe)
  return {
    forward: (run) => {
      const before = phase
      phase = 'forward'
      backward = null
      watchTape()
      try {
        return run()
      } finally {
        phase = before
      }
    },
    update: (run) => {
      phase = 'update'
      backward = null
      try {
        return run()
      } finally {
        phase = null
      }
    },
    name: (tensors) => {
      for (const [name, { dataId }] of Object.entries(tensors)) names.set(dataId, name)
    },
    originOf: ({ dataId }) => {
      const last = seen.get(dataId)
      return last ? originOf(last) : null
    },
    end,
  }
}

/**
 * Goes back from an operation along its bad inputs, and where some of these have NaN along those alone, for an infinity
 * may be meant, as in a mask. Of several beginnings it is the earliest.
 */
function originOf(last: Seen): { first: BadOperation; turned: BadOperation | null } {
  const visited = new Set<Seen>()
  const todo = [last]
  for (let next = todo.pop(); next; next = todo.pop()) {
    if (visited.has(next)) continue
    visited.add(next)
    const withNaN = next.from.filter(({ result }) => result.nan > 0)
    todo.push(...(withNaN.length > 0 ? withNaN : next.from))
  }
  const inOrder = [...visited].sort((a, b) => a.order - b.order)
  const first = inOrder.find(({ from }) => from.length === 0) ?? last
  const turned = inOrder.find(({ result }) => result.nan > 0) ?? null
  return { first, turned: turned === first ? null : turned }
}

function valuesOf(tensor: tf.TensorInfo): ArrayLike<number> {
  return tensor.dtype === 'string' || tensor.dtype === 'complex64' ? [] : (valuesNow(tensor) as ArrayLike<number>)
}

function allFinite(tensor: tf.TensorInfo): boolean {
  return tensor.dtype !== 'float32' || (valuesNow(tensor) as Float32Array).every(Number.isFinite)
}
