import { z } from 'zod'
import { type Key, keyOf, normal, uniform } from '../../random.ts'
import { difficulty, generated } from '../generated.ts'
import { generatedCount, validationCountBeside } from '../splits.ts'
import { seriesForm } from './form.ts'

/** Changes whenever a series would. */
const VERSION = 1

const options = z.strictObject({
  /** 0 is nearly without noise, 1 has more noise than seasons. */
  difficulty,
  /** Values of a step. */
  channels: z.int().min(1).max(256).default(7),
  /** Steps of a series. */
  steps: z.int().min(2).max(4096).default(168),
  /** Series to train on; those to validate on come after them. */
  train: generatedCount.default(128),
  /** Series to test on, which come last. */
  test: generatedCount.default(32),
  /** Another seed is another draw of all series. */
  seed: z.int().min(0).default(0),
})

/**
 * Pieces of one long record, in the order of time: of each channel two seasons and a trend that turns, and noise that
 * reaches the channels one after the other, so that those that have it later can be told from the others. Generated.
 */
export const seasons = generated({ name: 'seasons', version: VERSION, form: seriesForm }, options, (options) => {
  const { steps, channels, train } = options
  const { valueAt, noiseAt, turnsIn } = recordOf(options)
  const firstOf = { train: 0, validation: train, test: train + validationCountBeside(options) }
  return {
    shape: { series: [steps, channels] },
    make: ({ part }, index) => {
      const from = (firstOf[part] + index) * steps
      return {
        series: Float32Array.from({ length: steps * channels }, (_, i) =>
          valueAt(from + Math.floor(i / channels), i % channels),
        ),
      }
    },
    planted: ({ part }, index) => {
      const from = (firstOf[part] + index) * steps
      const shared = Array.from({ length: steps }, (_, step) => noiseAt(from + step) ** 2)
      return {
        time: from,
        'shared noise': Math.sqrt(shared.reduce((sum, value) => sum + value, 0) / steps),
        'turns of a trend': turnsIn(from, from + steps),
      }
    },
  }
})

type ValueAt = (time: number, channel: number) => number

/** Steps between the channel that has the noise first and the one that has it last; steps for which it lasts, and what is left of it a step later. */
const [MOST_LAG, LASTS, KEPT] = [12, 16, 0.8]

/** The record: every number of it comes from the seed, the channel and the time. */
function recordOf({ seed, channels, difficulty }: z.output<typeof options>) {
  const key = (name: string): Key => keyOf(seed, `seasons/${VERSION}/${name}`)
  const waves = Array.from({ length: channels }, (_, channel) => {
    const own = key(`channel/${channel}`)
    const between = (counter: number, low: number, high: number) => low + (high - low) * uniform(own, counter)
    return {
      seasons: [24, between(0, 30, 60)].map((period, i) => ({
        period,
        phase: between(1 + i, 0, 1),
        height: between(3 + i, 0.5, 1.2),
      })),
      trend: { period: between(5, 300, 600), phase: between(6, 0, 1), height: between(7, 0.5, 1.5) },
      lag: Math.floor(uniform(own, 8) * (MOST_LAG + 1)),
    }
  })
  const [shared, own] = [key('shared'), Array.from({ length: channels }, (_, channel) => key(`noise/${channel}`))]
  const common = lasting((time) => normal(shared, time))
  const noise = 0.1 + 0.9 * difficulty
  const valueAt: ValueAt = (time, channel) => {
    const { seasons, trend, lag } = waves[channel] as (typeof waves)[number]
    const season = seasons.reduce(
      (sum, { period, phase, height }) => sum + height * Math.sin(2 * Math.PI * (time / period + phase)),
      0,
    )
    const fresh = normal(own[channel] as Key, time)
    return season + turning(time, trend) + noise * (0.5 * common(time + MOST_LAG + LASTS - lag) + 0.2 * fresh)
  }
  const halves = (time: number, { period, phase }: Trend) => Math.floor(2 * (time / period + phase))
  return {
    valueAt,
    /** The noise that all channels have, as the first of them has it. */
    noiseAt: (time: number) => common(time + MOST_LAG + LASTS),
    /** How often the trend of a channel turns between two times. */
    turnsIn: (from: number, to: number) =>
      waves.reduce((sum, { trend }) => sum + halves(to, trend) - halves(from, trend), 0),
  }
}

/** A line that goes up for half of a period, and down for the other. */
interface Trend {
  period: number
  phase: number
  height: number
}

/** A line that goes up and down between -height and height. */
function turning(time: number, { period, phase, height }: Trend): number {
  const place = (time / period + phase) % 1
  return height * (4 * Math.abs(place - 0.5) - 1)
}

/** Draws that fade over the steps after them; known values are kept. */
function lasting(draw: (time: number) => number): (time: number) => number {
  const known: number[] = []
  return (time) => {
    known[time] ??= Array.from({ length: LASTS }, (_, back) => KEPT ** back * draw(time - back)).reduce((a, b) => a + b)
    return known[time]
  }
}
