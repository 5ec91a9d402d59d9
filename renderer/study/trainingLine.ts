import { duration } from '../../engine/study/duration.ts'
import type { StudyView } from '../protocol/study.ts'
import { progress, type StudyEstimate } from './progress.ts'

/** How the training of a study goes, in one line; null where no run is in training. */
export function trainingLine(study: StudyView): string | null {
  const { current, beside, stepsPerSecond, ...left } = progress(study)
  const time = leftText(left)
  if (!current) return null
  const { variant, seed, step, steps } = current
  const where = steps > 0 ? `step ${step} of ${steps}` : 'starting'
  return [
    `${variant}, seed ${seed}${beside > 0 ? ` and ${beside} more` : ''}: ${where}`,
    ...(stepsPerSecond === null ? [] : [speed(stepsPerSecond)]),
    ...(time === null ? [] : [time]),
  ].join(' · ')
}

/** `38 steps/s`. */
export function speed(stepsPerSecond: number): string {
  const digits = stepsPerSecond >= 10 ? 0 : stepsPerSecond >= 1 ? 1 : 2
  return `${stepsPerSecond.toFixed(digits)} steps/s`
}

/** How long training still takes, `8 s left`, or that one run, `8 s left in this run`; null where neither is known. */
export function leftText({ secondsLeft, secondsLeftInRun }: Pick<StudyEstimate, 'secondsLeft' | 'secondsLeftInRun'>) {
  const seconds = secondsLeft ?? secondsLeftInRun
  if (seconds === null) return null
  const time = seconds < 1 ? 'less than a second left' : `${duration(seconds)} left`
  return secondsLeft === null ? `${time} in this run` : time
}
