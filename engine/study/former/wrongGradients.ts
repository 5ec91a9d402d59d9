import type { NamedAttrMap } from '@tensorflow/tfjs-core'
import { recordedModel } from '../design/codeDigest.ts'
import { recordedUses } from '../gradients/check.ts'
import type { Use } from '../gradients/uses.ts'
import type { OpenVariant } from '../opened.ts'

const always = () => true
const padded = ({ attributes }: Use) => attributes.pad !== 'valid' && attributes.pad !== 0

/** The kernels that have a gradient of our own now (engine/gradients) and trained by a wrong one of tfjs before: where. */
const WRONG: Record<string, (use: Use) => boolean> = {
  AvgPool: padded,
  AvgPool3D: padded,
  Cast: ({ attributes, inputs }) => inputs[0]?.dtype === 'float32' && attributes.dtype !== 'float32',
  Cumsum: ({ attributes, inputs }) => axisOf(attributes) !== (inputs[0]?.shape.length ?? 0) - 1,
  FloorDiv: always,
  MirrorPad: always,
  ResizeBilinear: always,
  ResizeNearestNeighbor: always,
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
