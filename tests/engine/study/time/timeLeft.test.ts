import { describe, expect, it } from 'vitest'
import { progressLine } from '../../../../app/cli/training/progress.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { StoredRun, StudyEvent } from '../../../../engine/records/run.ts'
import { reduceStudy, type StudyView } from '../../../../renderer/protocol/study.ts'
import { progress } from '../../../../renderer/study/progress.ts'
import { designOf } from '../../../designs.ts'

/** A study as a clock that we own has it; times in ms. */
interface Clock {
  /** What a step of each variant takes. */
  variants: Record<string, number>
  seeds: number
  steps?: number
  places?: number
  /** The first step of each run, and what it takes more in the first run of a place. */
  compile?: number
  cold?: number
  /** Waiting for each batch during so many steps of the first run of a place: its data are drawn. */
  drawing?: { steps: number; ms: number }
  evaluation?: { every: number; ms: number }
  /** The last evaluation. */
  test?: number
  /** So many seeds of each variant are in the store, from a machine that is so many times as slow. */
  cached?: { seeds: number; slower: number }
  /** Steps that the first run has behind it. */
  resumed?: number
}

type Timed = { at: number; event: StudyEvent }

/** All events of a study, each with its time. */
function eventsOf(clock: Clock): Timed[] {
  const { variants, seeds, cached, resumed = 0, places = 1, steps = 250 } = clock
  const all = Array.from({ length: seeds }, (_, i) => i + 1).flatMap((seed) =>
    Object.keys(variants).map((variant) => ({
      key: `${variant}${seed}`,
      study: 's',
      variant,
      seed,
      spec: {},
      code: '',
    })),
  )
  const done = (variant: string) =>
    ({
      status: 'done',
      step: steps,
      steps,
      ms: steps * (variants[variant] ?? 0) * (cached?.slower ?? 1),
      metrics: {},
    }) as unknown as StoredRun
  const runs = all.map((run, i) => ({
    ...run,
    spec: clock.evaluation ? { train: { evalEvery: clock.evaluation.every } } : {},
    done: run.seed <= (cached?.seeds ?? 0) ? { ...done(run.variant), ...run } : null,
    resumesAt: i === 0 && resumed > 0 ? resumed : null,
  }))
  const plan: StudyEvent = {
    type: 'plan',
    study: 's',
    metric: 'm',
    variants: Object.keys(variants),
    design: designOf('s'),
    runs,
  }
  const events: Timed[] = [{ at: 0, event: plan }]
  const busy = Array.from({ length: places }, () => 0)
  const used = new Set<number>()
  for (const run of runs.filter((each) => !each.done)) {
    const place = busy.indexOf(Math.min(...busy))
    busy[place] = trainOne(run, busy[place] ?? 0, !used.has(place), clock, events)
    used.add(place)
  }
  return events.sort((a, b) => a.at - b.at)
}

function trainOne(
  { key, variant, resumesAt }: { key: string; variant: string; resumesAt: number | null },
  began: number,
  first: boolean,
  { variants, steps = 250, compile = 0, cold = 0, drawing, evaluation, test = 0 }: Clock,
  to: Timed[],
): number {
  let now = began
  const say = (event: TrainEvent) => to.push({ at: now, event: { type: 'run', key, id: 1, event, ms: now - began } })
  to.push({ at: now, event: { type: 'begin', key, id: 1, backend: 'simd' } })
  say({ type: 'start', steps, parameters: 1, ...(resumesAt && { resumedAt: resumesAt }) })
  for (let step = (resumesAt ?? 0) + 1, trained = 1; step <= steps; step++, trained++) {
    const waited = first && drawing && trained <= drawing.steps ? drawing.ms : 0
    const ms = (variants[variant] ?? 0) + waited + (trained === 1 ? compile + (first ? cold : 0) : 0)
    const paused = evaluation && trained > 1 && (step - 1) % evaluation.every === 0 ? evaluation.ms : 0
    now += ms + paused
    say({ type: 'step', step, ms, ...(waited && { waited }), ...(paused && { paused }) })
  }
  now += test
  say({ type: 'done', step: steps })
  return now
}

const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600 }

/** The seconds that a line of the terminal says are left of the study, and null where it says nothing. */
function secondsIn(line: string): number | null {
  const [, text] = /((?:[\d.]+ (?:s|min|h) )+)left$/.exec(line) ?? []
  return text
    ? [...text.matchAll(/([\d.]+) (s|min|h)/g)].reduce(
        (sum, [, n, unit]) => sum + Number(n) * (UNITS[unit ?? ''] ?? 0),
        0,
      )
    : null
}

/** What page and terminal say is left, in seconds, beside what truly is, at each step of a study. */
function estimatesOf(clock: Clock) {
  const events = eventsOf(clock)
  const end = events.at(-1)?.at ?? 0
  const line = progressLine()
  let view: StudyView | null = null
  return events.flatMap(({ at, event }) => {
    view = reduceStudy(view, event)
    const text = line(event)()
    if (!view || event.type !== 'run' || event.event.type !== 'step') return []
    return [{ truly: (end - at) / 1000, page: progress(view).secondsLeft, line: secondsIn(text), at: at / end }]
  })
}

const CLOCKS: [string, Clock, number][] = [
  ['a compiling first step', { variants: { a: 5 }, seeds: 6, steps: 600, compile: 2000 }, 0.08],
  ['a first step that compiles once', { variants: { a: 5 }, seeds: 6, steps: 600, cold: 2000 }, 0.2],
  ['short runs that compile', { variants: { a: 5 }, seeds: 6, compile: 2000 }, 0.35],
  ['variants of different speed', { variants: { a: 5, b: 40, c: 15 }, seeds: 6, steps: 600, compile: 2000 }, 0.2],
  ['two at a time', { variants: { a: 5, b: 20 }, seeds: 6, steps: 600, compile: 2000, places: 2 }, 0.2],
  [
    'runs in the store of a slower machine',
    { variants: { a: 5, b: 40 }, seeds: 6, steps: 600, cached: { seeds: 3, slower: 4 } },
    0.02,
  ],
  ['a resumed run', { variants: { a: 5, b: 20 }, seeds: 4, steps: 600, compile: 2000, resumed: 300 }, 0.3],
  [
    'data that are drawn when they are first read',
    { variants: { a: 4, b: 3 }, seeds: 6, drawing: { steps: 130, ms: 27 }, cold: 2000 },
    0.5,
  ],
  [
    'evaluations that take most of the time',
    { variants: { a: 5 }, seeds: 4, steps: 1000, evaluation: { every: 50, ms: 1000 }, test: 3000 },
    0.3,
  ],
]

describe('the time left', () => {
  it.each(CLOCKS)('is never off by more than a factor of 1.5, with %s', (_, clock, early) => {
    const estimates = estimatesOf(clock)
    const isOff = (said: number | null, truly: number, least: number) => {
      return said !== null && truly > least && !near(said / truly)
    }
    const wrong = estimates.filter(({ truly, page, line }) => isOff(page, truly, 0.1) || isOff(line, truly, 2))
    expect(wrong).toEqual([])
    const first = estimates.find(({ page }) => page !== null)
    expect(first?.at, 'of the study before anything is said').toBeLessThan(early)
    expect(estimates.slice(0, 5).map(({ page, line }) => page ?? line)).toEqual(Array(5).fill(null))
  })
})

const near = (ratio: number) => ratio > 1 / 1.52 && ratio < 1.52
