import { duration } from '../../engine/study/duration.ts'
import { useKernel } from '../session/kernel/state.ts'
import { bytes } from '../ui/bytes.ts'
import type { StudyEstimate } from './progress.ts'
import { leftText, speed } from './trainingLine.ts'

/** Checkpoints are mostly younger, in seconds; the age of older ones is shown. */
const OLD = 6

/** How far a study is. The line stays when training ends, so that nothing below it jumps. */
export function StudyProgress({ state, training }: { state: StudyEstimate; training: boolean }) {
  const percent = Math.round(state.fraction * 1000) / 10
  return (
    <div className="progress" data-testid="progress" data-training={training}>
      <div
        className="progress-track"
        role="progressbar"
        aria-label="training"
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className="progress-bar" style={{ width: `${percent}%` }} />
      </div>
      <p className="progress-text">
        <span>{describe(state, training)}</span>
        {training && (state.secondsUnsaved ?? 0) > OLD && (
          <span title="What would be trained again after a crash" data-testid="unsaved">
            checkpoint {duration(state.secondsUnsaved ?? 0)} old
          </span>
        )}
        {training && <Pace {...state} />}
      </p>
    </div>
  )
}

/** How fast it trains, what that takes of memory, and how long it still will. */
function Pace({ stepsPerSecond, ...left }: StudyEstimate) {
  const time = leftText(left)
  const held = useKernel(({ memory }) => memory.bytes)
  const parts = [
    ...(stepsPerSecond === null ? [] : [speed(stepsPerSecond)]),
    ...(held > 0 ? [bytes(held)] : []),
    ...(time === null ? [] : [/^less/.test(time) ? time : `about ${time}`]),
  ]
  return <span title="speed, memory of tensors and programs, time left">{parts.join(' · ')}</span>
}

function describe({ current, place, beside, total, done }: StudyEstimate, training: boolean): string {
  if (current && training) {
    const step = current.steps ? `step ${current.step} of ${current.steps}` : 'starting'
    const more = beside > 0 ? `; ${beside} more beside it` : ''
    return `run ${place} of ${total}: ${current.variant}, seed ${current.seed}, ${step}${more}`
  }
  if (training) return done < total ? `${done} of ${total} runs, starting the next` : `${total} of ${total} runs`
  return done === total ? `${total} of ${total} runs` : `stopped after ${done} of ${total} runs`
}
