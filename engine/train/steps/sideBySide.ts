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
  if (lanes.length === 1) return roomFor(create, lanes, update)
  const whole = await whenReady(() => create(lanes, update)).catch((error: unknown) => error)
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

/**
 * A program of one lane; where the card has no room for it, one that takes the batch in more parts, twice as many each time. An
 * error or null where there is none. Throws what was said first where no parts are small enough.
 */
async function roomFor(
  create: CreateTraining,
  lanes: readonly TrainingLane[],
  update: Update,
): Promise<TrainingProgram | Error | null> {
  const all = lanes[0]?.recorded.all ?? 1
  let lack: unknown = null
  for (let least = 1; least <= all; least *= 2) {
    try {
      const made = await whenReady(() => create(lanes, update, least))
      if (!lack || !made || made instanceof Error) return made
      const note = `the graphics card has no room for ${all} examples at once: each batch is taken in ${made.parts} parts`
      return { ...made, note }
    } catch (error) {
      lack ??= error
    }
  }
  throw lack
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
    parts: first.parts,
    note: first.note ?? second.note,
    profile: first.profile,
    dispose: () => {
      first.dispose()
      second.dispose()
    },
  }
}
