import * as tf from '@tensorflow/tfjs-core'
import type { Program, Programs } from './program.ts'
import { type Code, recordEagerly } from './record.ts'
import { simplify } from './simplify.ts'

/** Pairs of runs that are timed: at least so many, and until they have taken so many milliseconds. */
const [PAIRS, ENOUGH] = [3, 500]

/** Code that cannot be recorded. */
export interface EagerFallback {
  /** Why; its stack leads to the code, as far as that is known. */
  reason: Error
  /** How many times as long it takes as a program would; null where that is not known. */
  factor: number | null
  /** Whether `factor` stays as it is. */
  settled: boolean
  /** Runs it operation by operation. */
  run(inputs: tf.NamedTensorMap, batch: number, body: Code): tf.NamedTensorMap
  dispose(): void
}

/** What the user should know of it. */
export function warningOf({ factor }: EagerFallback, reason: Error): string {
  const cost = factor ? (factor < 1.05 ? ', as fast as a program' : `, ${factor.toFixed(1)} times slower`) : ''
  return `runs operation by operation${cost}: ${reason.message}`
}

/**
 * Code that cannot be recorded for this reason. How much slower that makes it shows in its first runs: what it did in
 * the first, with all that it read and drew, makes a program, which is timed in turns with the next ones.
 */
export function eagerFallback(reason: Error, backend: Programs): EagerFallback {
  let twin: { program: Program; shapes: string } | null = null
  const own: number[] = []
  const others: number[] = []
  const slow: EagerFallback = { reason, factor: null, settled: !backend.isImmediate, run, dispose: settle }

  function settle(): void {
    slow.settled = true
    twin?.program.dispose()
    twin = null
  }

  /** Makes the program, or times it. A failure of the program itself, e.g. for want of memory, is no warning about the code. */
  function attempt(step: () => void): void {
    try {
      step()
    } catch {
      settle()
    }
  }

  function run(inputs: tf.NamedTensorMap, batch: number, body: Code): tf.NamedTensorMap {
    const alone = () => body(inputs, { backward: () => {}, draw: () => {} })
    if (slow.settled) return alone()
    const shapes = JSON.stringify(Object.values(inputs).map(({ shape }) => shape))
    if (!twin) {
      const { graph, outputs } = recordEagerly(inputs, body)
      attempt(() => {
        twin = { program: backend.createProgram(simplify(graph), batch), shapes }
      })
      return outputs
    }
    if (twin.shapes !== shapes) return alone()
    const { program } = twin
    const before = performance.now()
    const outputs = alone()
    const between = performance.now()
    attempt(() => {
      tf.dispose(program.run(inputs, 0))
      own.push(between - before)
      others.push(performance.now() - between)
      slow.factor = Math.min(...own) / Math.min(...others)
      if (own.length >= PAIRS && sum(own) + sum(others) > ENOUGH) settle()
    })
    return outputs
  }
  return slow
}

function sum(times: number[]): number {
  return times.reduce((total, ms) => total + ms, 0)
}
