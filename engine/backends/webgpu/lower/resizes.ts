import type { Use } from '../../../compile/graph.ts'
import { bilinear, nearest, type Resized, type Shares } from '../../../gradients/resizeShares.ts'
import { inputOf, made, outputOf, type Rewrite } from './operations.ts'

/** A constant of the graph. */
export type MakeConstant = (values: Float32Array, shape: number[]) => Use

/**
 * Pictures of another size, and their gradients, as products with the shares that rows and columns of the one have in those of
 * the other.
 */
export function resizes(constant: MakeConstant): Record<string, Rewrite> {
  const resize =
    (shares: Shares, isGradient: boolean): Rewrite =>
    (operation, fresh) => {
      const [from, to] = [inputOf(operation, isGradient ? 'dy' : 'images'), outputOf(operation)]
      if (from.dtype !== 'float32') {
        const [x, y] = [fresh(from.shape), fresh(to.shape)]
        return [
          made('Cast', { x: from }, x, { dtype: 'float32' }),
          { ...operation, inputs: { ...operation.inputs, images: x }, outputs: [y] },
          made('Cast', { x: y }, to, { dtype: to.dtype }),
        ]
      }
      const options = operation.attributes as unknown as Resized
      const [small, large] = isGradient ? [to, from] : [from, to]
      const matrix = (axis: 1 | 2) => {
        const [out, length] = [large.shape[axis], small.shape[axis]] as [number, number]
        return constant(shares(out, length, options), [out, length])
      }
      const [batch, height, width, channels] = from.shape as [number, number, number, number]
      const [, rows, columns] = to.shape as [number, number, number, number]
      const upright = fresh([batch, rows, width * channels])
      const turn = { transposeA: isGradient, transposeB: false }
      return [
        made('BatchMatMul', { a: matrix(1), b: { ...from, shape: [batch, height, width * channels] } }, upright, turn),
        made(
          'BatchMatMul',
          { a: matrix(2), b: { ...upright, shape: [batch * rows, width, channels] } },
          { ...to, shape: [batch * rows, columns, channels] },
          turn,
        ),
      ]
    }
  return {
    ResizeBilinear: resize(bilinear, false),
    ResizeBilinearGrad: resize(bilinear, true),
    ResizeNearestNeighbor: resize(nearest, false),
    ResizeNearestNeighborGrad: resize(nearest, true),
  }
}
