import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { adamw, ask, compare, gmlp, image, mixer, readout, shapes, tuned } from '../../../../engine/index.ts'
import type { StudyDesign } from '../../../../engine/records/design.ts'
import { designSchema } from '../../../../engine/records/design.ts'
import type { MetricSummary, StudyEvent } from '../../../../engine/records/run.ts'
import type { StudySpec } from '../../../../engine/study/compare.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { metricSummary } from '../../../../engine/study/metricSummary.ts'
import { answers } from '../../../../engine/study/questions/answers.ts'
import { verdicts } from '../../../../engine/study/statistics/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

onSimd()

const rates = { lr: [0.5, 0.001] }
const optimizer = (learningRate: number) => ({ train: { optimizer: adamw({ learningRate }) } })
const tune = tuned(rates, ({ lr }) => optimizer(lr), { seeds: 2 })
const one = tuned(rates, ({ lr }) => optimizer(lr), { seeds: 1 })
const spec = {
  task: image({ data: shapes({ train: 32, test: 16, size: 16 }) }),
  model: { patch: 8, dim: 4, depth: 1 },
  train: { steps: 4, batch: 16, evalEvery: 2 },
  variants: { gmlp, mixer },
  metric: 'loss',
  seeds: 2,
}
const study = (more: Partial<StudySpec> = {}) => compare('s', { ...spec, tune, ...more })

/** A store in memory whose runs have their metrics, and that keeps designs. */
function store() {
  const runs = memoryRuns()
  const designs: StudyDesign[] = []
  const findDone: typeof runs.findDone = async (keys) =>
    (await runs.findDone(keys)).map((run) => {
      const metrics: Record<string, MetricSummary> = {}
      for (const event of runs.started[run.id - 1]?.events ?? []) {
        if (event.type !== 'metric') continue
        const { name, step, value, meaning } = event
        metrics[name] = metricSummary(metrics[name] ?? null, { steps: [step], values: [value] }, meaning)
      }
      return { ...run, metrics }
    })
  const recordDesign = async (design: StudyDesign) => void designs.push(designSchema.parse(design))
  return { ...runs, findDone, recordDesign, designs }
}

type Store = ReturnType<typeof store>

async function execute(one: ReturnType<typeof study>, runs: Store, more = {}, stopAt = Number.POSITIVE_INFINITY) {
  const stop = new AbortController()
  const backend = { name: 'simd', device: 'test' } as const
  const around = { runs, files: memoryFiles({}), backend, signal: stop.signal, ...more }
  const events: StudyEvent[] = []
  let done = 0
  for await (const event of executeStudy(one, around)) {
    events.push(event)
    if (event.type === 'run' && event.event.type === 'done' && ++done === stopAt) stop.abort()
  }
  return events
}

const plansIn = (events: StudyEvent[]) => events.filter((event) => event.type === 'plan')
const endsIn = (events: StudyEvent[]) => events.filter((event) => event.type === 'end')
const startedIn = (runs: Store) => runs.started.map(({ study, variant, seed }) => `${study}: ${variant} ${seed}`)
const VALUES = ['gmlp, lr=0.5', 'gmlp, lr=0.001', 'mixer, lr=0.5', 'mixer, lr=0.001']
const QUICK = VALUES.map((name) => `s, tuning: ${name} 1001`)
const TUNING = [...QUICK, ...VALUES.map((name) => `s, tuning: ${name} 1002`)]
const REPORT = ['gmlp 1', 'mixer 1', 'gmlp 2', 'mixer 2'].map((name) => `s: ${name}`)

describe('a tuned study', () => {
  it('chooses by validation with seeds of its own, then trains with other seeds what a written value would', async () => {
    const runs = store()
    const before = tf.memory().numTensors
    const events = await execute(study(), runs)
    expect(tf.memory().numTensors).toBe(before)
    expect(startedIn(runs)).toEqual([...TUNING, ...REPORT])
    expect(plansIn(events).map(({ study, metric }) => `${study} by ${metric}`)).toEqual([
      's, tuning by validation/loss',
      's by test/loss',
    ])
    const [tuning, report] = runs.designs
    expect(tuning).toMatchObject({ study: 's, tuning', questions: [] })
    expect(report?.tuned).toMatchObject({ study: 's, tuning', metric: 'validation/loss', seeds: [1001, 1002], runs: 8 })
    expect(report?.tuned?.variants.map(({ variant, chosen }) => `${variant} ${chosen}`)).toEqual(['gmlp 1', 'mixer 1'])
    expect(report?.variants.map(({ settings }) => settings)).toEqual([{}, {}])
    // a study in which that value is written has the same runs
    const written = { ...spec, train: { ...spec.train, ...optimizer(0.001).train } }
    expect(endsIn(await execute(compare('written', written), runs))).toMatchObject([{ trained: 0, cached: 4 }])
    // and once more there is nothing to train
    expect(endsIn(await execute(study(), runs))).toMatchObject([{ cached: 8 }, { cached: 4 }])
  })

  it('chooses the same where it was interrupted in tuning, after it, or in the report', async () => {
    const runs = store()
    const first = await execute(study(), runs, {}, 2)
    expect(endsIn(first)).toMatchObject([{ trained: 2, interrupted: true }])
    const second = await execute(study(), runs, {}, 6) // the last one of tuning ends as it is stopped
    expect(endsIn(second)).toMatchObject([{ trained: 6, cached: 2, interrupted: true }])
    expect(runs.designs.some((design) => design.tuned)).toBe(false)
    const third = await execute(study(), runs, {}, 1)
    expect(endsIn(third)).toMatchObject([
      { cached: 8, interrupted: false },
      { trained: 1, interrupted: true },
    ])
    const last = await execute(study(), runs)
    expect(endsIn(last)).toMatchObject([{ cached: 8 }, { trained: 3, cached: 1 }])
    expect(startedIn(runs)).toEqual([...TUNING, ...REPORT])
    const whole = store()
    await execute(study(), whole)
    expect(runs.designs.at(-1)).toEqual(whole.designs.at(-1))
  })

  it('tunes all variants alike whatever is wanted of the report, and in the quick mode with one seed', async () => {
    const runs = store()
    await execute(study(), runs, { quick: true, only: ['mixer'], seeds: 1 })
    expect(startedIn(runs)).toEqual([...QUICK, 's: mixer 1'])
  })

  it('is trained with all values that its seeds cannot tell apart, and asks for each at its best', async () => {
    const runs = store()
    const events = await execute(study({ tune: one }), runs, { only: ['mixer'] })
    const mixer = ['mixer, lr=0.5', 'mixer, lr=0.001']
    expect(startedIn(runs)).toEqual([...QUICK, ...[1, 2].flatMap((seed) => mixer.map((name) => `s: ${name} ${seed}`))])
    const [, plan] = plansIn(events)
    expect(plan?.variants).toEqual(mixer)
    expect(runs.designs.at(-1)).toMatchObject({
      questions: [{ ask: 'pairs' }],
      variants: VALUES.map((variant) => ({ variant, settings: {} })),
      tuned: { variants: [{ variant: 'gmlp', kept: [{ variant: 'gmlp, lr=0.5' }, {}] }, { variant: 'mixer' }] },
    })
    const done = endsIn(await execute(study({ tune: one }), runs))
    expect(done).toMatchObject([{ cached: 4 }, { trained: 4, cached: 4 }])
    const design = runs.designs.at(-1)
    const names = design?.variants.map(({ variant }) => variant) ?? []
    const ended = await runs.findDone(design?.runs.map(({ key }) => key) ?? [])
    const given = { metric: 'test/loss', design, variants: names, baseline: names[0] as string, runs: ended }
    expect(verdicts(given)).toEqual([])
    const [answer] = answers(given)
    expect(answer?.findings).toMatchObject([{ name: 'mixer against gmlp', claim: 'too few', wins: expect.any(Number) }])
    expect(answer?.findings[0]?.sentence).toMatch(
      /each at its best: gmlp, lr=0.(5|001); mixer, lr=0.(5|001); gmlp at lr 0.5 or lr 0.001/,
    )
  })

  it.each<[string, Partial<StudySpec>, string]>([
    [
      'seeds of tuning that the study has',
      { seeds: [1, 1001] },
      's.tune: seed 1001 is one of the study, too; choose with others',
    ],
    [
      'values that change nothing',
      { tune: tuned(rates, () => optimizer(1)) },
      's.tune: gmlp is the same with lr=0.5 and lr=0.001; what it sets has to differ',
    ],
    [
      'an unknown option in a later value',
      { tune: tuned(rates, ({ lr }) => (lr < 0.01 ? { train: { batch: 16, accumulate: 3 } } : {})) },
      's, tuning.variants.gmlp, lr=0.001.train',
    ],
    ['a question that does not fit', { questions: [ask.effect('block')] }, 's.questions'],
    [
      'a metric that validation has not',
      { metric: 'readout/norm', readouts: [readout('norm', { better: 'lower' }, () => 1)] },
      's.tune: readout/norm is not measured on validation',
    ],
  ])('refuses %s before anything is trained', async (_, more, message) => {
    const runs = store()
    await expect(execute(study(more), runs)).rejects.toThrow(message)
    expect(runs.started).toEqual([])
  })

  it('is not what another study starts from', async () => {
    const next = compare('next', { ...spec, from: study() })
    await expect(execute(next, store())).rejects.toThrow('s.tune: its values are chosen when it is trained')
  })
})
