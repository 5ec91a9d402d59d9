import * as tf from '@tensorflow/tfjs-core'
import type { Observed } from '../../compile/observingBackend.ts'
import type { Code } from '../../compile/record.ts'
import { PARAMETER } from '../../compile/training.ts'
import { MixlabError, messageOf } from '../../errors.ts'
import { watchCustom, watchSurrogates } from '../../gradients/custom.ts'
import { alternativeTo, kernelWithout, type RefusedUse, refusedUse } from '../../gradients/refused.ts'
import { lineOf, operationOf } from '../../notebook/location.ts'

/** An input of an operation, and whether it depends on trained parameters. */
export interface UsedInput {
  name: string
  shape: number[]
  dtype: tf.DataType
  moving: boolean
}

/** A use of an operation in code of a cell, whose gradient training takes. */
export interface Use extends RefusedUse {
  /** As code calls it. */
  name: string
  /** `<cell>:<line>`; null where no cell called it. */
  line: string | null
  attributes: tf.NamedAttrMap
  inputs: UsedInput[]
}

/** What the gradient of some code passes through. */
export interface Uses {
  kernels: Use[]
  /** Operations with gradients of their own, in their order. */
  customs: CustomUse[]
  /** That an operation has no gradient, with the line of the cell. */
  missing: MixlabError | null
  /** Where what is differentiated depends on the parameters only through operations that pass no gradient on, the last of them. */
  stop: Pick<Use, 'name' | 'line'> | null
}

/** A use of an operation with a gradient of its own. */
export type CustomUse = Pick<Use, 'name' | 'line' | 'inputs'>

/** Runs code and sees its operations, on shapes alone or on a backend. */
export type Watch = (run: () => void, observe: (call: Observed) => void) => unknown

/** Constant between jumps: no gradient passes. */
const FLAT = new Set(['Ceil', 'Floor', 'OnesLike', 'Round', 'Sign', 'Step', 'ZerosLike'])

/**
 * Runs code that differentiates by the parameters among its inputs, and notes what their gradients pass through. Throws
 * what the code itself throws. `whereabouts` finds the line of a cell by a stack.
 */
export function usesOf(code: Code, given: tf.NamedTensorMap, watch: Watch, whereabouts: typeof lineOf = lineOf): Uses {
  const reached = new WeakSet<object>(
    Object.entries(given).flatMap(([name, { dataId }]) => (name.startsWith(PARAMETER) ? [dataId] : [])),
  )
  const uses: Uses = { kernels: [], customs: [], missing: null, stop: null }
  const described = (inputs: [string, tf.TensorInfo][]) =>
    inputs.map(([name, { shape, dtype, dataId }]) => ({ name, shape, dtype, moving: reached.has(dataId) }))
  let forward = true
  let declared = false

  function observe({ kernel, operands, attributes, results }: Observed): void {
    if (!forward) return
    const inputs = Object.entries(operands).flatMap(([name, tensor]) =>
      tensor ? [[name, tensor as tf.TensorInfo]] : [],
    ) as [string, tf.TensorInfo][]
    const moving = inputs.some(([, { dataId }]) => reached.has(dataId))
    const passed = moving && !FLAT.has(kernel) ? results.filter(({ dtype }) => dtype === 'float32') : []
    for (const { dataId } of passed) reached.add(dataId)
    // deeper are those inside of an operation with a gradient of its own
    if (tf.engine().state.kernelDepth !== 1) return
    const here = new Error('here')
    const use = { kernel, name: operationOf(here) ?? kernel, line: whereabouts(here) }
    if (moving && passed.length === 0) uses.stop = use
    uses.kernels.push({ ...use, attributes, inputs: described(inputs) })
  }

  const run = () => {
    const { loss } = code(given, {
      backward: () => {
        forward = false
      },
      draw: () => {},
    })
    // gradients of their own may pass on what the operations inside do not
    if (declared || uses.customs.length > 0 || (loss && reached.has(loss.dataId))) uses.stop = null
  }
  const noteCustom = ({ name, inputs }: { name: string; inputs: tf.Tensor[] }) => {
    if (!forward) return
    const named = inputs.map((tensor, i): [string, tf.TensorInfo] => [`${i}`, tensor])
    uses.customs.push({ name, line: whereabouts(new Error('here')), inputs: described(named) })
  }
  const noteSurrogate = () => {
    declared = true
  }
  try {
    watch(() => watchSurrogates(noteSurrogate, () => watchCustom(noteCustom, run)), observe)
  } catch (error) {
    uses.missing = withoutGradient(error, uses.kernels)
    if (!uses.missing) throw error
  }
  return uses
}

/** An error about an operation that has no gradient, with its line and what to write instead; null for any other. */
function withoutGradient(error: unknown, uses: Use[]): MixlabError | null {
  const refused = refusedUse(error)
  if (refused) {
    const use = uses.find(({ kernel, attributes }) => kernel === refused.kernel && attributes === refused.attributes)
    return new MixlabError('option', use?.line ?? '', (error as Error).message)
  }
  if (/^Cannot compute gradient of y=f\(x\)/.test(messageOf(error))) {
    return new MixlabError('option', '', 'the loss depends on none of the weights; calculate it from the prediction')
  }
  const kernel = kernelWithout(error)
  if (kernel === null) return null
  const use = uses.findLast((each) => each.kernel === kernel)
  return new MixlabError('option', use?.line ?? '', `${use?.name ?? kernel} has no gradient; ${alternativeTo(kernel)}`)
}
