import { backend_util, type NamedAttrMap } from '@tensorflow/tfjs-core'
import { recordedModel } from '../design/codeDigest.ts'
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

/** The kernels that have a gradient of our own now (engine/gradients) and trained by a wrong one of tfjs before: where. */
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

function axisOf({ axis }: NamedAttrMap): unknown {
  return Array.isArray(axis) ? axis[0] : axis
}

/**
 * The operations of a variant, as code calls them, whose gradients earlier versions had wrong. Empty where its code cannot
 * be recorded, too: nobody can say then without running it.
 */
export async function wrongBefore({ block, size, opened }: OpenVariant): Promise<string[]> {
  const { input, extras } = opened
  const recorded = await recordedModel(opened.model(block, size), input).catch(() => null)
  const uses = recorded && (await recordedUses({ model: recorded.model, input, extras }))
  const wrong = uses?.kernels.filter((use) => use.inputs.some(({ moving }) => moving) && WRONG[use.kernel]?.(use))
  return [...new Set(wrong?.map(({ name }) => name))]
}
