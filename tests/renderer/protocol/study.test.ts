import { describe, expect, it } from 'vitest'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StoredRun, StudyEvent } from '../../../engine/records/run.ts'
import {
  continued,
  firstMetric,
  metricNames,
  neededRuns,
  reconcile,
  reduceStudy,
  type StudyView,
  stopped,
} from '../../../renderer/protocol/study.ts'
import { designOf } from '../../designs.ts'
import { LOSS, MEANINGS } from '../../meanings.ts'

const stored: StoredRun = {
  id: 7,
  key: 'k2',
  study: 's',
  variant: 'b',
  seed: 1,
  status: 'done',
  backend: 'cpu',
  device: 'test',
  startedAt: 1000,
  endedAt: 4000,
  ms: 3000,
  archived: false,
  step: 20,
  steps: 20,
  parameters: 5,
  macs: null,
  error: null,
  hasWeights: true,
  metrics: { loss: { last: 1, lastStep: 20, best: 1, bestStep: 20, min: 1, max: 3, count: 2 } },
}
const planned = { study: 's', seed: 1, spec: {}, code: '' }
const plan: StudyEvent = {
  type: 'plan',
  study: 's',
  metric: 'test/accuracy',
  variants: ['a', 'b'],
  design: designOf('s'),
  runs: [
    { ...planned, spec: { model: { code: 'f1' } }, key: 'k1', variant: 'a', done: null, resumesAt: null },
    { ...planned, key: 'k2', variant: 'b', done: stored, resumesAt: null },
  ],
}
const run = (event: TrainEvent, ms = 0): StudyEvent => ({ type: 'run', key: 'k1', id: 8, event, ms })

function viewAfter(...events: StudyEvent[]): StudyView {
  const view = [plan, ...events].reduce(reduceStudy, null as StudyView | null)
  if (!view) throw new Error('no view after a plan')
  return view
}
const first = (view: StudyView) => view.runs[0]

describe('reduceStudy', () => {
  it('is nothing before the plan', () => {
    expect(reduceStudy(null, { type: 'begin', key: 'k1', id: 1, backend: 'cpu' })).toBeNull()
  })
  it('keeps what was known of variants before they were trained', () => {
    const known = { variant: 'a', parameters: 5, macs: 9, program: null, exported: null, wrong: null }
    const view = viewAfter(
      { type: 'preflight', study: 's', variants: [known], left: ['b'] },
      { type: 'begin', key: 'k1', id: 8, backend: 'cpu' },
    )
    expect([view.preflights, view.notLookedAt]).toEqual([[known], ['b']])
  })

  it('takes runs of the store over and lets the others wait', () => {
    const view = viewAfter()
    expect(view.runs.map(({ status, cached, id, ms }) => ({ status, cached, id, ms }))).toEqual([
      { status: 'waiting', cached: false, id: null, ms: 0 },
      { status: 'done', cached: true, id: 7, ms: 3000 },
    ])
  })

  it('knows in which cell the code of a variant is', () => {
    expect(viewAfter().blocks).toEqual({ a: 'f1', b: '' })
  })

  it('follows a run from its start to its end', () => {
    const begun = viewAfter(
      { type: 'begin', key: 'k1', id: 8, backend: 'simd' },
      run({ type: 'start', steps: 2, parameters: 1 }),
    )
    expect(first(begun)).toMatchObject({ id: 8, status: 'running', backend: 'simd', steps: 2 })
    const ended = [run({ type: 'step', step: 1, ms: 5 }, 7), run({ type: 'step', step: 2, ms: 6 }, 15)]
      .concat(run({ type: 'checkpoint', step: 2, weights: new Uint8Array() }, 20), run({ type: 'done', step: 2 }, 21))
      .reduce(reduceStudy, begun as StudyView | null)
    expect(ended?.runs[0]).toMatchObject({ status: 'done', step: 2, ms: 21, hasWeights: true })
  })

  it('times a run by its steps, and knows how many were trained at a time', () => {
    const begin = (key: string): StudyEvent => ({ type: 'begin', key, id: 8, backend: 'simd' })
    const steps = Array.from({ length: 7 }, (_, i) => run({ type: 'step', step: i + 1, ms: 10 }, 10 * (i + 1)))
    const view = viewAfter(begin('k1'), run({ type: 'start', steps: 9, parameters: 1 }), ...steps)
    expect(first(view)?.pace).toMatchObject({ steps: 7, recent: [10, 10], computed: [10, 10], at: 70 })
    expect(view.atOnce).toBe(1)
    const both = reduceStudy(view, begin('k2'))
    expect(both?.atOnce).toBe(2)
    expect(reduceStudy(both, run({ type: 'done', step: 9 }))?.atOnce).toBe(2)
  })

  it('shows how far an interrupted run had come until it goes on from there', () => {
    const runs = plan.type === 'plan' ? plan.runs.map((each) => ({ ...each, resumesAt: each.done ? null : 60 })) : []
    const view = reduceStudy(null, { ...plan, runs } as StudyEvent)
    expect(view?.runs.map(({ status, step }) => [status, step])).toEqual([
      ['waiting', 60],
      ['done', stored.step],
    ])
    const again = reduceStudy(view, run({ type: 'start', steps: 90, parameters: 1, resumedAt: 60 }))
    expect(again?.runs[0]).toMatchObject({ status: 'running', step: 60, steps: 90 })
    expect(reduceStudy(again, run({ type: 'start', steps: 90, parameters: 1 }))?.runs[0]?.step).toBe(0)
  })

  it('summarises metrics; the best accuracy is the largest, the best loss the smallest', () => {
    const metric = (name: string, step: number, value: number) =>
      run({ type: 'metric', name, step, value, meaning: MEANINGS[name] })
    const values = [metric('test/accuracy', 1, 0.5), metric('test/accuracy', 2, 0.4)]
    const view = viewAfter(...values, metric('loss', 1, 3), metric('loss', 2, 4))
    expect(first(view)?.metrics).toMatchObject({
      'test/accuracy': { last: 0.4, lastStep: 2, best: 0.5, bestStep: 1, min: 0.4, max: 0.5, count: 2 },
      loss: { best: 3, max: 4 },
    })
  })

  it('has what is read off a run when it is done', () => {
    const summary = { last: 2, lastStep: 20, best: 2, bestStep: 20, min: 2, max: 2, count: 1, meaning: { unit: 'ms' } }
    const after = viewAfter({ type: 'readout', key: 'k2', id: 7, metric: 'readout/size', summary })
    expect(after.runs[1]?.metrics['readout/size']).toEqual(summary)
    expect(metricNames(after)).toContain('readout/size')
  })
  it('keeps why a run failed', () => {
    const view = viewAfter(run({ type: 'failed', step: 3, message: 'loss is NaN' }))
    expect(first(view)).toMatchObject({ status: 'failed', step: 3, error: 'loss is NaN' })
  })

  it('marks runs that are not tried; an attempt at one in the store says what came of it', () => {
    const [own] = viewAfter().runs.filter(({ status }) => status === 'waiting')
    const keys = own ? [own.key] : []
    const view = viewAfter({ type: 'skipped', keys, error: 'a:1: no' })
    const skipped = view.runs.filter((each) => each.skipped)
    expect(skipped).toMatchObject([{ key: own?.key, status: 'failed', id: null, error: 'a:1: no' }])
    const later = reconcile(view, [{ ...stored, key: own?.key ?? '' }])
    expect(later.runs.find(({ key }) => key === own?.key)).not.toHaveProperty('skipped')
  })

  it('marks runs that are not needed, and says why; they are of the study no longer', () => {
    const [own] = viewAfter().runs.filter(({ status }) => status === 'waiting')
    const text = 'decided with seed 7 of at most 24'
    const view = viewAfter({ type: 'stopped', study: 's', keys: [own?.key ?? ''], text })
    expect(view.stopped).toBe(text)
    expect(view.runs.find(({ key }) => key === own?.key)).toMatchObject({ status: 'waiting', notNeeded: true })
    expect(neededRuns(view)).toHaveLength(view.runs.length - 1)
  })

  it('starts again with a new plan', () => {
    expect(reduceStudy(viewAfter(run({ type: 'step', step: 1, ms: 1 })), plan)).toEqual(viewAfter())
  })

  it('leaves the view before it unchanged', () => {
    const view = viewAfter()
    const copy = structuredClone(view)
    reduceStudy(view, run({ type: 'metric', name: 'loss', step: 1, value: 1 }))
    expect(view).toEqual(copy)
  })
})

describe('reconcile', () => {
  it('takes the newest attempt of each run from the store', () => {
    const attempts: StoredRun[] = [
      { ...stored, key: 'k1', id: 9, status: 'done' },
      { ...stored, key: 'k1', id: 8, status: 'failed' },
    ]
    expect(reconcile(viewAfter(), attempts).runs.map(({ id, status }) => [id, status])).toEqual([
      [9, 'done'],
      [7, 'done'],
    ])
  })
})

describe('reconcile with archived attempts', () => {
  it('takes one only where there is no other', () => {
    const old = { ...stored, key: 'k1', id: 9, archived: true }
    const ids = (...attempts: StoredRun[]) => reconcile(viewAfter(), attempts).runs.map(({ id }) => id)
    expect(ids(old, { ...stored, key: 'k1', id: 8 })).toEqual([8, 7])
    expect(ids({ ...stored, key: 'k1', id: 8 }, old)).toEqual([8, 7])
    expect(ids(old)).toEqual([9, 7])
  })
})

describe('continued', () => {
  const start = run({ type: 'start', steps: 90, parameters: 1, resumedAt: 60 }, 50)
  const before: StoredRun = {
    ...{ ...stored, id: 8, key: 'k1', variant: 'a', status: 'running', startedAt: 1000, endedAt: null },
    metrics: {
      loss: { last: 2, lastStep: 60, best: 1, bestStep: 50, min: 1, max: 9, count: 6, meaning: LOSS },
      'test/accuracy': { last: 0.7, lastStep: 60, best: 0.9, bestStep: 30, min: 0.1, max: 0.9, count: 2 },
    },
  }
  const loss = (step: number, value: number) => run({ type: 'metric', name: 'loss', step, value, meaning: LOSS }, 50)
  const going = viewAfter({ type: 'begin', key: 'k1', id: 8, backend: 'cpu' }, start, loss(61, 3), loss(62, 0.5))
  const after = (name: string, step: number) =>
    name === 'loss' && step === 60 ? { steps: [61, 62], values: [3, 0.5] } : { steps: [], values: [] }

  it('adds what a run had logged before its checkpoint to what came since', () => {
    const view = continued(going, before, after)
    expect(first(view)).toMatchObject({ status: 'running', step: 60, ms: 50, hasWeights: true })
    expect(first(view)?.metrics).toEqual({
      loss: { last: 0.5, lastStep: 62, best: 0.5, bestStep: 62, min: 0.5, max: 9, count: 8, meaning: LOSS },
      'test/accuracy': before.metrics['test/accuracy'],
    })
    const next = reduceStudy(view, loss(63, 0.6))
    expect(next?.runs[0]?.metrics.loss).toMatchObject({ best: 0.5, last: 0.6 })
  })

  it('leaves other attempts and other runs alone', () => {
    expect(continued(going, { ...before, id: 7 }, after)).toEqual(going)
    expect(continued(going, { ...before, key: 'k3' }, after)).toEqual(going)
  })
})

describe('stopped', () => {
  it('ends what was training and nothing else', () => {
    const view = stopped(viewAfter({ type: 'begin', key: 'k1', id: 8, backend: 'simd' }))
    expect(view.runs.map(({ status }) => status)).toEqual(['interrupted', 'done'])
  })
})

describe('metrics of a study', () => {
  it('lists the compared metric first', () => {
    expect(metricNames(viewAfter())).toEqual(['test/accuracy', 'loss'])
  })

  it('shows nothing of the test of a study that asks nothing of it', () => {
    const measured = (name: string) => run({ type: 'metric', name, step: 1, value: 1 })
    const after = viewAfter(measured('test/loss'), measured('validation/loss'))
    expect(metricNames(after)).toContain('test/loss')
    const tuning = { ...after, metric: 'validation/accuracy', design: { ...designOf('s'), questions: [] } }
    expect(metricNames(tuning)).toEqual(['validation/accuracy', 'validation/loss'])
  })

  it('shows another metric until the compared one has values', () => {
    expect(firstMetric(viewAfter())).toBe('loss')
    expect(firstMetric(viewAfter(run({ type: 'metric', name: 'test/accuracy', step: 1, value: 1 })))).toBe(
      'test/accuracy',
    )
  })
})
