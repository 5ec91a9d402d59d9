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
    ...(stepsPerSecond === null ? [] : [`${rate(stepsPerSecond)} steps/s`]),
    ...(secondsLeft === null ? [] : [secondsLeft < 1 ? 'less than a second left' : `${duration(secondsLeft)} left`]),
  ].join(' · ')
}

function rate(perSecond: number): string {
  return perSecond >= 10 ? String(Math.round(perSecond)) : perSecond.toFixed(perSecond >= 1 ? 1 : 2)
}
