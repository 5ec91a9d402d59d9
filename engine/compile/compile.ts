import { Unrepeatable } from '../chance.ts'
import { MixlabError, messageOf } from '../errors.ts'
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
 * recorded. Throws Unrepeatable for code that does something else when it is recorded again.
 */
export async function compile(
  backend: Programs,
  inputs: Record<string, Spec>,
  batch: number,
  body: Code,
): Promise<Program | Error> {
  const graph = await recordTwice(inputs, body)
  if (graph instanceof Unrepeatable) throw graph
  if (graph instanceof Error) return graph
  if (backend.isImmediate) return backend.createProgram(graph, batch)
  return whenReady(() => backend.createProgram(graph, batch))
}

/** What code does, made small. An error where it cannot be recorded; Unrepeatable where it does something else when it is recorded again. */
export async function recordTwice(inputs: Record<string, Spec>, body: Code): Promise<Graph | Error> {
  try {
    const graph = await recordGraph(inputs, body)
    await recordGraph(inputs, body, graph)
    return simplify(graph)
  } catch (error) {
    return asError(error)
  }
}

/** What `make` makes, once it can be used; an error where it cannot. Throws a MixlabError: nothing else would work. */
export async function whenReady<T extends { ready?(): Promise<void>; dispose(): void } | null>(
  make: () => T,
): Promise<T | Error> {
  let made: T | null = null
  try {
    made = make()
    await made?.ready?.()
    return made
  } catch (error) {
    made?.dispose()
    if (error instanceof MixlabError && error.code === 'backend') throw error
    return asError(error)
  }
}
