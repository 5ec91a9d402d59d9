import { useEffect, useState } from 'react'
import type { KeptWeights } from '../../engine/records/store.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { stepsOf } from './kept.ts'

interface StepSliderProps {
  /** Of each run, which weights there are. */
  kept: readonly KeptWeights[][]
  /** The step shown. */
  step: number
  onChange(step: number): void
}

/** From one step to the next while it plays: time to read and draw the weights. */
const NEXT_MS = 700

/** Goes through the steps at which there are weights, by hand or one after the other; at the last it follows the training. */
export function StepSlider({ kept, step, onChange }: StepSliderProps) {
  const steps = stepsOf(kept)
  const last = steps.length - 1
  const place = Math.max(
    0,
    steps.findLastIndex((each) => each <= step),
  )
  const [playing, setPlaying] = useState(false)
  const go = (to: number) => onChange(to >= last ? Number.POSITIVE_INFINITY : (steps[to] ?? 0))
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => (place < last ? go(place + 1) : setPlaying(false)), NEXT_MS)
    return () => clearTimeout(timer)
  })
  if (steps.length < 2) {
    return <p className="muted">{'These are the only weights; train: { snapshots: 8 } keeps some on the way.'}</p>
  }
  const play = () => {
    if (!playing && place === last) go(0)
    setPlaying(!playing)
  }
  return (
    <div className="choice step-slider">
      <Button look="small" onClick={play} aria-pressed={playing} testId="play-steps">
        <Icon name={playing ? 'stop' : 'run'} /> {playing ? 'Pause' : 'Play'}
      </Button>
      <label className="choice">
        <span className="muted">step</span>
        <input
          type="range"
          min={0}
          max={last}
          value={place}
          onChange={({ target }) => {
            setPlaying(false)
            go(Number(target.value))
          }}
          aria-valuetext={`step ${steps[place]}`}
        />
        <output>{steps[place]}</output>
      </label>
    </div>
  )
}
