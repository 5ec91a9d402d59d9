import { backend_util, type NamedAttrMap } from '@tensorflow/tfjs-core'
import { asFormerly } from '../../gradients/register.ts'
import type { Model } from '../../nn/model.ts'
import { lossOf, trainingBatch } from '../design/checkTask.ts'
import { digestOfRecorded, recordedModel } from '../design/codeDigest.ts'
import { recordedUses } from '../gradients/check.ts'
import type { Use } from '../gradients/uses.ts'
import type { OpenVariant } from '../opened.ts'

type Window = Record<'filterSize' | 'strides', number | [number, number]> & {
  pad: 'valid' | 'same' | number
  dimRoundingMode?: 'floor' | 'round' | 'ceil'
}

const always = () => true
const atCenters = ({ attributes }: Use) => attributes.halfPixelCenters === true
const padded = ({ attributes }: Use) => attributes.pad !== 'valid' && attributes.pad !== 0

/** Whether a window goes beyond a border. */
function beyondBorder({ attributes, inputs }: Use): boolean {
  const { filterSize, strides, pad, dimRoundingMode } = attributes as unknown as Window
  const shape = inputs[0]?.shape as [number, number, number, number]
  const { padInfo } = backend_util.computePool2DInfo(shape, filterSize, strides, 1, pad, dimRoundingMode)
  return padInfo.top + padInfo.bottom + padInfo.left + padInfo.right > 0
}

/** Where values were equal; inside of these operations that made no difference. */
const atTies = ({ name }: Use) => name !== 'logSumExp' && name !== 'sigmoidCrossEntropy'

/** The kernels whose gradient was that of tfjs until runs were recorded with theirs, where it was wrong. */
const WRONG: Record<string, (use: Use) => boolean> = {
  AvgPool: beyondBorder,
  AvgPool3D: padded,
  Cast: ({ attributes, inputs }) => inputs[0]?.dtype === 'float32' && attributes.dtype !== 'float32',
  Cumsum: ({ attributes, inputs }) => axisOf(attributes) !== (inputs[0]?.shape.length ?? 0) - 1,
  FloorDiv: always,
  MirrorPad: always,
  ResizeBilinear: atCenters,
  ResizeNearestNeighbor: atCenters,
}

/** Those whose gradient was wrong until later. */
const WRONG_LATER: typeof WRONG = { Abs: atTies, Max: atTies, Maximum: atTies, Min: atTies, Minimum: atTies }

function axisOf({ axis }: NamedAttrMap): unknown {
  return Array.isArray(axis) ? axis[0] : axis
}

/**
 * The operations of a variant, as code calls them, whose gradients earlier versions had wrong: all of them, or those that
 * were wrong until `later`. Empty where its code cannot be recorded, too: nobody can say then without running it.
 */
export async function wrongBefore(variant: OpenVariant, later = false): Promise<string[]> {
  const { block, size, opened, task } = variant
  const { input, extras } = opened
  const model = (await recordedModel(opened.model(block, size), input).catch(() => null))?.model
  const loss = model && task.defined && { of: lossOf(opened, model as Model), batch: await trainingBatch(variant) }
  const uses = model && (await recordedUses({ model, input, extras, loss }))
  const kernels = { ...WRONG_LATER, ...(!later && WRONG) }
  const ofSquares = uses?.kernels.filter(({ kernel }) => kernel === 'Pow').map(({ name, line }) => `${name} ${line}`)
  const wrong = uses?.kernels.filter(
    (use) =>
      use.inputs.some(({ moving }) => moving) &&
      kernels[use.kernel]?.(use) &&
      !(use.kernel === 'Abs' && use.name.endsWith('orm') && ofSquares?.includes(`${use.name} ${use.line}`)),
  )
  return [...new Set(wrong?.map(({ name }) => name))]
}

/**
 * What keys said of what a variant does before gradients were corrected, null where it cannot be recorded; and whether the
 * tape was wrong then: its lists were changed, or an operation with a gradient of its own gave its input.
 */
export async function digestBefore({ block, size, opened, recipe }: OpenVariant) {
  const { input, extras } = opened
  const given = { input, extras, batch: recipe.batch / recipe.accumulate }
  const recorded = await recordedModel(opened.model(block, size), input).catch(() => null)
  const digestAs = async (what: 'engine' | 'gradients') =>
    recorded && digestOfRecorded(recorded, given, { around: (run) => asFormerly(what, run) }).catch(() => null)
  const digest = await digestAs('engine')
  return { digest, wrongTape: digest !== (await digestAs('gradients')) }
}
