import { whenReady } from '../../compile/compile.ts'
import type { CreateTraining, TrainingLane, TrainingProgram, Update } from '../../compile/training.ts'

/**
 * A program of all lanes; or, where that cannot be had, such as for want of memory, of one for each half of them. An error or null
 * as of a single one. Throws as whenReady does.
 */
export async function programOf(
  create: CreateTraining,
  lanes: readonly TrainingLane[],
  update: Update,
): Promise<TrainingProgram | Error | null> {
  const made = whenReady(() => create(lanes, update))
  if (lanes.length === 1) return made
  const whole = await made.catch((error: unknown) => error)
  if (whole === null || (whole && !(whole instanceof Error))) return whole as TrainingProgram | null
  const half = Math.ceil(lanes.length / 2)
  const first = await programOf(create, lanes.slice(0, half), update)
  if (!first || first instanceof Error) return first
  try {
    const second = await programOf(create, lanes.slice(half), update)
    if (second && !(second instanceof Error)) return joined(first, second, half)
    first.dispose()
    return second
  } catch (error) {
    first.dispose()
    throw error
  }
}

/** Two programs as one, whose first lanes are those of the first. */
function joined(first: TrainingProgram, second: TrainingProgram, size: number): TrainingProgram {
  const of = (lane: number) => (lane < size ? ([first, lane] as const) : ([second, lane - size] as const))
  return {
    run: async (steps) => {
      await first.run(steps.slice(0, size))
      await second.run(steps.slice(size))
    },
    take: (lane) => {
      const [program, own] = of(lane)
      return program.take(own)
    },
    gradients: (lane) => {
      const [program, own] = of(lane)
      return program.gradients(own)
    },
    settle: (lane) => {
      const [program, own] = of(lane)
      program.settle(own)
    },
    ready: async () => {},
    profile: first.profile,
    dispose: () => {
      first.dispose()
      second.dispose()
    },
  }
}
