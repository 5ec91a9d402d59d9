import * as tf from '@tensorflow/tfjs-core'
import type { Graph } from './graph.ts'
import { hasPrograms, type Program } from './program.ts'
import { type Marks, record, type Spec } from './record.ts'
import { simplify } from './simplify.ts'

/**
 * A program that does what `body` does, bit for bit but for the sign of a zero, in fewer passes over memory. The inputs
 * have these shapes, those of a batch with `batch` examples along the first axis. Null where the current backend has no
 * programs, or where the code cannot be recorded: it reads values, draws numbers that it does not announce, or does
 * something else the second time.
 */
export async function compile(
  inputs: Record<string, Spec>,
  batch: number,
  body: (inputs: tf.NamedTensorMap, marks: Marks) => tf.NamedTensorMap,
): Promise<Program | null> {
  const backend = tf.backend()
  if (!hasPrograms(backend)) return null
  const graph = await record(inputs, body).catch(() => null)
  const again = graph && (await record(inputs, body).catch(() => null))
  if (!graph || !again || !alike(graph, again)) return null
  return backend.createProgram(simplify(graph), batch)
}

/** Whether two recordings have the same operations and constants. */
function alike(a: Graph, b: Graph): boolean {
  const text = ({ operations, outputs, constants, draws }: Graph) =>
    JSON.stringify([operations, outputs, constants.map(({ use }) => use), draws])
  if (text(a) !== text(b)) return false
  return a.constants.every(({ values }, i) => {
    const others = b.constants[i]?.values as ArrayLike<unknown>
    return Array.prototype.every.call(values, (value: unknown, at: number) => Object.is(value, others[at]))
  })
}
