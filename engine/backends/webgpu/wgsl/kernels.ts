import { sizeOf } from '../../../compile/graph.ts'
import { outputOf } from '../lower/operations.ts'
import { whole } from './digits.ts'
import { grid, type Kernel } from './dispatch.ts'
import { order, sortBlocks } from './order.ts'
import { product } from './product.ts'
import { reduce, segments } from './reduce.ts'
import { rowKernels } from './rows.ts'
import type { Shader } from './shader.ts'

/** The shader of each anchor, by the name of the operation. */
const kernels: Record<string, (shader: Shader) => Kernel> = {
  ...rowKernels,
  BatchMatMul: product,
  Sum: reduce,
  Max: reduce,
  Min: reduce,
  Prod: reduce,
  SortBlocks: sortBlocks,
  Order: order,
  Segments: segments,
}

/** The kernel of a step. */
export function kernelOf(shader: Shader): Kernel {
  return (kernels[shader.step.operation.kernel] ?? map)(shader)
}

const THREADS = 256

/** An operation element by element, with all that it reads folded in. */
function map(shader: Shader): Kernel {
  const out = outputOf(shader.step.operation)
  const size = sizeOf(out)
  const { workgroups, number } = grid(Math.ceil(size / THREADS))
  const body = shader.body()
  body.add(`let i = ${number} * ${THREADS}u + thread;`)
  body.add(`if (i >= ${size}u) { return; }`)
  const index = whole({ name: 'i', size })
  shader.write(body, out, index, shader.read(body, out, index))
  const label = `${shader.step.operation.kernel} ${size}`
  return { label, ...shader.kernel(body.text(), THREADS), workgroups }
}
