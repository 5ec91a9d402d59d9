import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'
import type { MakeConstant } from './resizes.ts'

interface Response {
  depthRadius: number
  bias: number
  alpha: number
  beta: number
}

/**
 * Normalisation of each channel by its neighbours, x (bias + alpha s)^-beta with s the sum of squares of the channels that are no
 * more than `depthRadius` away, and its gradient; these sums as products with a band of ones.
 */
export function responses(constant: MakeConstant): Record<string, Rewrite> {
  /** The sums over the neighbours of each channel. */
  const summed = (x: Use, y: Use, radius: number): Operation => {
    const channels = x.shape.at(-1) as number
    const band = Float32Array.from({ length: channels ** 2 }, (_, i) => {
      return Math.abs(Math.floor(i / channels) - (i % channels)) <= radius ? 1 : 0
    })
    const flat = (use: Use): Use => ({ ...use, shape: [sizeOf(use) / Math.max(1, channels), channels] })
    const inputs = { a: flat(x), b: constant(band, [channels, channels]) }
    return made('BatchMatMul', inputs, flat(y), { transposeA: false, transposeB: false })
  }
  /** bias + alpha s, and that to the power of -beta. */
  const normsOf = (x: Use, { depthRadius, bias, alpha, beta }: Response, fresh: Fresh) => {
    const [square, sum, scaled, least, norm, exponent, by] = [
      ...[fresh(x.shape), fresh(x.shape), fresh(x.shape), fresh([])],
      ...[fresh(x.shape), fresh([]), fresh(x.shape)],
    ] as [Use, Use, Use, Use, Use, Use, Use]
    const operations = [
      made('Square', { x }, square),
      summed(square, sum, depthRadius),
      made('Scale', { x: sum }, scaled, { by: alpha }),
      made('Number', {}, least, { value: bias }),
      made('Add', { a: scaled, b: least }, norm),
      made('Number', {}, exponent, { value: -beta }),
      made('Pow', { a: norm, b: exponent }, by),
    ]
    return { operations, norm, by }
  }
  return {
    LRN: (operation, fresh) => {
      const x = inputOf(operation, 'x')
      const { operations, by } = normsOf(x, operation.attributes as unknown as Response, fresh)
      return [...operations, made('Multiply', { a: x, b: by }, outputOf(operation))]
    },
    LRNGrad: (operation, fresh) => {
      const [x, y, dy] = ['x', 'y', 'dy'].map((name) => inputOf(operation, name)) as [Use, Use, Use]
      const options = operation.attributes as unknown as Response
      const { operations, norm, by } = normsOf(x, options, fresh)
      const [own, product, share, around, other, slope] = Array.from({ length: 6 }, () => fresh(x.shape)) as [
        ...[Use, Use, Use, Use, Use, Use],
      ]
      return [
        ...operations,
        made('Multiply', { a: dy, b: by }, own),
        made('Multiply', { a: dy, b: y }, product),
        made('RealDiv', { a: product, b: norm }, share),
        summed(share, around, options.depthRadius),
        made('Multiply', { a: x, b: around }, other),
        made('Scale', { x: other }, slope, { by: -2 * options.alpha * options.beta }),
        made('Add', { a: own, b: slope }, outputOf(operation)),
      ]
    },
  }
}
