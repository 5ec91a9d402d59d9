import type { StepTime } from '../../records/environment.ts'
import type { OpenStudy } from '../opened.ts'
import { largest, stepTime, TIE } from './fastest.ts'
import { timesText } from './times.ts'

/** How many seeds of a variant are trained at once, and why: what a step takes a seed, alone and with others. */
export interface Together {
  seeds: number
  timed: string
}

/**
 * Times a few steps of the largest variant of a study on the current backend, of one seed and of so many at once: together they
 * are trained where a seed takes less then, and one after the other where it does not, or where it cannot be done.
 */
export async function measureTogether(
  open: OpenStudy,
  seeds: number,
  time: typeof stepTime = stepTime,
): Promise<Together> {
  const variant = await largest(open.variants)
  const times: StepTime[] = []
  const measure = async (name: string, count: number) => {
    const ms = (await time(variant, count)) / count
    times.push({ name, ms })
    return ms
  }
  try {
    const alone = await measure('one seed', 1)
    const each = await measure(`each of ${seeds} at once`, seeds)
    return { seeds: each < alone * TIE ? seeds : 1, timed: timesText(times) }
  } catch {
    return { seeds: 1, timed: times.length > 0 ? timesText(times) : '' } // what is wrong is said by the run
  }
}

/** `6 seeds are trained at once: one seed 2.1 ms, each of 6 at once 0.6 ms a step`. */
export function togetherText({ seeds, timed }: Together): string {
  const what = seeds > 1 ? `${seeds} seeds are trained at once` : 'one seed is trained at a time'
  return timed ? `${what}: ${timed}` : what
}
