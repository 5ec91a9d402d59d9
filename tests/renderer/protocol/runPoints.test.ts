import { describe, expect, it } from 'vitest'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { sentEvents } from '../../../renderer/protocol/runPoints.ts'
import { reduceStudy, type StudyView } from '../../../renderer/protocol/study.ts'
import { keepPoints, noPoints, pointsToSend } from '../../../renderer/session/kernel/points.ts'

const runs = ['k1', 'k2'].map((key, i) => ({ key, variant: 'a', seed: i, spec: {}, done: null, resumesAt: null }))
const plan = { type: 'plan', study: 's', metric: 'test/loss', variants: ['a'], design: { runs }, runs } as never
const loss = { better: 'lower' } as never

/** The events of two runs side by side: steps, some of which waited or paused, metrics, and what lies between. */
function trained(): StudyEvent[] {
  const of = (key: string, event: TrainEvent, ms: number): StudyEvent => ({
    ...{ type: 'run', key, id: key === 'k1' ? 1 : 2, event, ms },
  })
  const begin = runs.map(({ key }, i): StudyEvent => ({ type: 'begin', key, id: i + 1, backend: 'cpu' }))
  const start = runs.map(({ key }) => of(key, { type: 'start', steps: 90, parameters: 1 }, 40))
  const steps = Array.from({ length: 90 }, (_, i) => i + 1).flatMap((step) =>
    runs.flatMap(({ key }, i) => {
      const ms = 50 + step * (3 + i) + (step % 7)
      const waited = step % 5 === 0 ? { waited: 0.5 } : {}
      const paused = step % 11 === 0 ? { paused: 4 + i } : {}
      const value = step === 3 ? Number.NaN : 1 / step + (step % 4) / 10
      return [
        of(key, { type: 'step', step, ms: 3 + i + (step % 7), ...waited, ...paused }, ms),
        ...(step % 2 ? [of(key, { type: 'metric', name: 'train/loss', step, value, meaning: loss }, ms)] : []),
        ...(step % 40 === 0 ? [of(key, { type: 'checkpoint', step, weights: new Uint8Array() }, ms + 1)] : []),
      ]
    }),
  )
  return [...begin, ...start, ...steps, of('k1', { type: 'done', step: 90 }, 999)]
}

const viewAfter = (events: readonly Parameters<typeof reduceStudy>[1][]) =>
  [plan, ...events].reduce(reduceStudy, null as StudyView | null)

describe('the events of a study as they are sent', () => {
  it.each([1, 2, 7, 64, 1000])('show the same, sent %i at a time', (size) => {
    const events = trained()
    const sent = Array.from({ length: Math.ceil(events.length / size) }, (_, i) =>
      sentEvents(events.slice(i * size, (i + 1) * size)),
    ).flat()
    expect(viewAfter(sent)).toEqual(viewAfter(events))
    const [points, one] = [noPoints(), noPoints()]
    keepPoints(sent, points)
    for (const event of events) keepPoints([event], one)
    expect(pointsToSend(points)).toEqual(pointsToSend(one))
  })

  it('are few where steps come by the thousand, and keep their order', () => {
    const sent = sentEvents(trained())
    expect(sent.map(({ type }) => type).join(' ')).toBe(
      'begin begin run run points points run points run points points run points run points points run',
    )
  })
})
