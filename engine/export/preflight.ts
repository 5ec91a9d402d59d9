import * as tf from '@tensorflow/tfjs-core'
import type { BackendName } from '../backends/types.ts'
import { lowered, planOf } from '../backends/webgpu/plan.ts'
import { recordTwice } from '../compile/compile.ts'
import { recordableCode } from '../compile/model.ts'
import { originOf, type Spec } from '../compile/record.ts'
import { PARAMETER } from '../compile/training.ts'
import { outlineOf } from '../cost/trace.ts'
import { MixlabError, messageOf } from '../errors.ts'
import { fileShape } from '../nn/layout.ts'
import { createModel, type Forward, type Model, parameterCount, type TextExtras } from '../nn/model.ts'
import { type Parameter, runInPass } from '../nn/scope.ts'
import { lineOf, sentenceOf } from '../notebook/location.ts'
import type { Preflight } from '../records/preflight.ts'
import type { OpenVariant } from '../study/opened.ts'
import { gradientCode } from '../train/differentiate.ts'
import { exportGraph } from './graph/graph.ts'
import { OperationError } from './graph/operationError.ts'
import { FEW, originOfOperation } from './graph/record.ts'

/** Axes of a tensor that kernels of tfjs take on graphics cards; some take more. */
const CARD_AXES = 6

/**
 * What can be said of a variant before it is trained on a backend. Records its code on shapes; only code that needs values
 * of tensors, or has more axes than a card may take, is run, once, on a few zeros. Never throws for what is wrong with the code: that is what it says.
 */
export async function preflight(variant: OpenVariant, backend: BackendName): Promise<Preflight> {
  const { name, block, size, opened, refused } = variant
  const forward = opened.model(block, size)
  const outline = await outlineOf(forward, opened.input).catch(() => null)
  const own = { variant: name, macs: outline?.macs ?? null }
  if (refused) return { ...own, parameters: null, program: null, exported: null, wrong: refused.message }
  try {
    const model = outline && ofShapes(forward, outline.parameters)
    const blocker = model && (await exportBlocker(model, variant))
    const isWide = (backend === 'webgpu' || backend === 'webgl') && (outline?.axes ?? 0) > CARD_AXES
    if (model && !blocker?.needsValues && !isWide) {
      return { ...own, ...(await describe(model, variant, backend)), exported: blocker?.reason ?? null }
    }
    const real = createModel(forward, opened.input, 0)
    try {
      const { reason = null } = (await exportBlocker(real, variant)) ?? {}
      return { ...own, ...(await describe(real, variant, backend)), exported: reason }
    } finally {
      real.dispose()
    }
  } catch (error) {
    const wrong = withLine(sentenceOf(error), lineOf(error))
    return { ...own, parameters: null, program: null, exported: null, wrong }
  }
}

async function describe(model: Model, variant: OpenVariant, backend: BackendName) {
  const program = await programBlocker(model, variant, backend)
  return { parameters: parameterCount(model.trained), program, wrong: null }
}

/** A model whose parameters have no values: for recording alone. */
function ofShapes(forward: Forward, parameters: Parameter[]): Model {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const pass = { parameters: known, seed: 0, training: false, step: 0, dropPath: 0, create: null }
  const trained = parameters.filter((parameter) => parameter.trained)
  return {
    parameters,
    trained,
    size: parameterCount(trained),
    apply: (input, mode, extras) => runInPass({ ...pass, ...mode }, () => forward(input, extras)),
    dispose: () => {},
  }
}

/** Why a model cannot be written as a graph; `needsValues` where it cannot be recorded on shapes alone. */
async function exportBlocker(
  model: Model,
  { opened }: OpenVariant,
): Promise<{ reason: string; needsValues: boolean } | null> {
  const { types, mask } = opened.extras ?? {}
  const inputs = specsOf({ input: opened.input, ...(types && { types }), ...(mask && { mask }) }, 1)
  const zeros = new Float32Array(Math.max(0, ...model.parameters.map(({ shape }) => tf.util.sizeFromShape(shape))))
  const weights = model.parameters.map(({ name, shape, layout }) => {
    const values = zeros.subarray(0, tf.util.sizeFromShape(shape))
    return { name, shape: fileShape(shape, layout), values }
  })
  try {
    await exportGraph(model, inputs, weights, '')
    return null
  } catch (error) {
    if (!(error instanceof OperationError)) {
      return {
        reason: withLine(messageOf(error).replace(/^cannot be written as a graph: /, ''), lineOf(error)),
        needsValues: true,
      }
    }
    const origin = await originOfOperation(error.operation, model, inputs).catch(() => null)
    return { reason: withLine(error.what, lineOf(origin)), needsValues: false }
  }
}

/** Why a training step of a model, with a few examples for the sake of speed, is no program on a backend; null where it is one. */
async function programBlocker(
  model: Model,
  { opened: { input, extras } }: OpenVariant,
  backend: BackendName,
): Promise<string | null> {
  if (backend !== 'simd' && backend !== 'webgpu') return `${backend} has no programs`
  const parameters = model.parameters.map(({ name, shape }): [string, Spec] => [
    PARAMETER + name,
    { shape, dtype: 'float32' },
  ])
  const inputs = {
    ...specsOf({ input, ...extras }, FEW),
    ...Object.fromEntries(parameters),
  }
  const code = recordableCode(
    model,
    true,
    gradientCode(model, ({ input, ...extras }: tf.NamedTensorMap, mode) =>
      tf.sum(model.apply(input as tf.Tensor, mode, extras as TextExtras)),
    ),
  )
  const graph = await recordTwice(inputs, code)
  // what is wrong with a parameter, training says, too
  if (graph instanceof MixlabError && model.trained.some(({ name }) => name === graph.path)) throw graph
  if (graph instanceof Error) return withLine(graph.message, lineOf(graph))
  if (backend === 'simd') return null
  try {
    planOf(lowered(graph))
    return null
  } catch (error) {
    const kernels = messageOf(error).split(/\W+/)
    const maker = graph.operations.find(({ kernel }) => kernels.includes(kernel))
    const origin = maker && (await originOf(maker.outputs[0]?.value ?? -1, inputs, code).catch(() => null))
    return withLine(messageOf(error), lineOf(origin))
  }
}

function specsOf(
  given: Record<string, { shape: number[]; dtype?: tf.DataType }>,
  examples: number,
): Record<string, Spec> {
  const all = Object.entries(given).map(([name, { shape, dtype = 'float32' }]): [string, Spec] => [
    name,
    { shape: [examples, ...shape.slice(1)], dtype },
  ])
  return Object.fromEntries(all)
}

function withLine(reason: string, line: string | null): string {
  return line === null || reason.startsWith(`${line}: `) ? reason : `${line}: ${reason}`
}
