import type { Dispatch } from './dispatch.ts'
import { map } from './map.ts'
import { product } from './product.ts'
import { order, reduce, segments } from './reduce.ts'
import { rowKernels } from './rows.ts'
import type { Shader } from './shader.ts'

/** The shader of each anchor, by the name of the operation. */
const kernels: Record<string, (shader: Shader) => Dispatch> = {
  ...rowKernels,
  BatchMatMul: product,
  Sum: reduce,
  Max: reduce,
  Min: reduce,
  Prod: reduce,
  Order: order,
  Segments: segments,
}

/** The dispatch of a step. */
export function dispatchOf(shader: Shader): Dispatch {
  return (kernels[shader.step.operation.kernel] ?? map)(shader)
}
