import { duration } from '../../engine/study/duration.ts'
import type { StudyView } from '../protocol/study.ts'
import { progress } from './progress.ts'

/** How the training of a study goes, in one line; null where no run is in training. */
export function trainingLine(study: StudyView): string | null {
  const { current, beside, stepsPerSecond, secondsLeft } = progress(study)
  if (!current) return null
  const { variant, seed, step, steps } = current
  const where = steps > 0 ? `step ${step} of ${steps}` : 'starting'
  return [
    `${variant}, seed ${seed}${beside > 0 ? ` and ${beside} more` : ''}: ${where}`,
    ...(stepsPerSecond === null ? [] : [speed(stepsPerSecond)]),
    ...(secondsLeft === null ? [] : [secondsLeft < 1 ? 'less than a second left' : `${duration(secondsLeft)} left`]),
  ].join(' · ')
}

/** `38 steps/s`. */
export function speed(stepsPerSecond: number): string {
  const digits = stepsPerSecond >= 10 ? 0 : stepsPerSecond >= 1 ? 1 : 2
  return `${stepsPerSecond.toFixed(digits)} steps/s`
}
