import { messageOf } from '../errors.ts'
import type { Graph } from './graph.ts'
import type { Program, Programs } from './program.ts'
import { type Code, recordGraph, type Spec } from './record.ts'
import { simplify } from './simplify.ts'

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(messageOf(error))
}

/**
 * A program that does what `body` does, bit for bit but for the sign of a zero, in fewer passes over memory. The inputs
 * have these shapes, those of a batch with `batch` examples along the first axis. An error where the code cannot be
 * recorded, or does something else when it is recorded again.
 */
export async function compile(
  backend: Programs,
  inputs: Record<string, Spec>,
  batch: number,
  body: Code,
): Promise<Program | Error> {
  let graph: Graph
  try {
    graph = await recordGraph(inputs, body)
    await recordGraph(inputs, body, graph)
  } catch (error) {
    return asError(error)
  }
  if (backend.isImmediate) return backend.createProgram(simplify(graph), batch)
  let program: Program | null = null
  try {
    program = backend.createProgram(simplify(graph), batch)
    await program.ready?.()
    return program
  } catch (error) {
    program?.dispose()
    return asError(error)
  }
}
