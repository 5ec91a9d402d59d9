import { sizeOf } from '../../../compile/graph.ts'
import { outputOf } from '../lower/operations.ts'
import { whole } from './digits.ts'
import { type Dispatch, grid } from './dispatch.ts'
import type { Shader } from './shader.ts'

const THREADS = 256

/** An operation element by element, with all that it reads folded in. */
export function map(shader: Shader): Dispatch {
  const out = outputOf(shader.step.operation)
  const size = sizeOf(out)
  const { workgroups, number } = grid(Math.ceil(size / THREADS))
  const body = shader.body()
  body.add(`let i = ${number} * ${THREADS}u + thread;`)
  body.add(`if (i >= ${size}u) { return; }`)
  const index = whole({ name: 'i', size })
  shader.write(body, out, index, shader.read(body, out, index))
  const label = `${shader.step.operation.kernel} ${size}`
  return { label, code: shader.text(body.text(), THREADS), workgroups, places: shader.places }
}
