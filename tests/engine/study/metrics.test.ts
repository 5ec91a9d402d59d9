import { ones, type Tensor } from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import * as mixlab from '../../../engine/index.ts'
import { block, compare, image, metric, mixer, mul, shapes } from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { Study, StudySpec } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { recreateNotebook } from '../../../engine/study/recreate/recreate.ts'
import { memoryRuns } from './memory-runs.ts'

const none = () => Promise.reject(new Error('none'))
const files: FileSource = { list: none, read: none }
const task = image({ data: shapes({ train: 64, test: 20 }) })

function study(more: Partial<StudySpec> = {}): Study {
  const sizes = { model: { patch: 16, dim: 8, depth: 1 }, train: { steps: 2, batch: 8, evalEvery: 1 }, seeds: 1 }
  return compare('s', { task, ...sizes, variants: { mixer: mixer() }, ...more })
}

const counting = (name: string) =>
  metric(name, { better: 'higher' }, () => {
    let rows = 0
    return {
      add: (_, { target }) => {
        rows += target?.length ?? 0
      },
      value: () => rows,
    }
  })

async function eventsOf(own: Study): Promise<TrainEvent[]> {
  const runs = memoryRuns()
  const backend = { name: 'cpu', device: 'test' } as const
  for await (const _ of executeStudy(own, { runs, files, backend }));
  return runs.started[0]?.events ?? []
}

const valuesOf = (events: TrainEvent[], name: string) =>
  events.flatMap((event) => (event.type === 'metric' && event.name === name ? [event.value] : []))
const warningsOf = (events: TrainEvent[]) =>
  events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
const keyOf = async (own: Study) => (await openStudy(own, {}, files)).planned[0]?.key
const problem = (own: () => Study) =>
  Promise.resolve()
    .then(() => openStudy(own(), {}, files))
    .then(
      () => null,
      (error: Error) => error.message,
    )

/** The study `own` of a notebook whose metric is in a cell of its own. */
async function fromNotebook(body: string, more = ''): Promise<Study> {
  const text = `// %% recall
import { metric } from 'mixlab'
export const recall = metric('recall', { better: 'higher', unit: 'share', bounds: [0, 1] }, () => ({
  add() {},
  value() {
    ${body}
  },
}))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const own = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 2, batch: 8, evalEvery: 1 },
  metrics: [recall],
  metric: 'eval/recall',
  seeds: 1,
})
${more}`
  return (await evaluateAll(text, { mixlab }, { console })).get('own')?.value as Study
}

describe('metrics of a study', () => {
  it('say what to do where one keeps tensors of the model', async () => {
    let kept: Tensor | null = null
    const keeping = block('keeping', (x) => {
      kept = mul(x, 1)
      return kept
    })
    const own = metric('kept', { better: 'higher' }, () => ({
      add: () => void kept?.dataSync(),
      value: () => 1,
    }))
    const events = await eventsOf(study({ variants: { keeping }, metrics: [own] }))
    expect(warningsOf(events).join()).toMatch(
      /metric 'kept' failed, .* is disposed.*; tensors of a model are gone after each pass: readout\(\) reads its weights/,
    )
  })
  it('are measured beside those of the task, over the same examples, and say what they mean', async () => {
    const own = study({ metrics: [counting('rows')], metric: 'eval/rows' })
    const { metric, planned } = await openStudy(own, {}, files)
    expect(metric).toBe('test/rows')
    expect(planned[0]?.spec).toMatchObject({ metric: 'rows', metrics: { rows: expect.stringContaining('rows') } })
    const events = await eventsOf(own)
    expect(valuesOf(events, 'validation/rows')).toEqual([7, 7])
    expect(valuesOf(events, 'test/rows')).toEqual([20])
    expect(valuesOf(events, 'validation/accuracy')).toHaveLength(2)
    const meaning = { better: 'higher', words: 'rows', compared: true }
    expect(events.find((event) => event.type === 'metric' && event.name === 'test/rows')).toMatchObject({ meaning })
  })

  it('are in the run key with their code; without own metrics the key is as it was', async () => {
    const plain = await keyOf(study())
    expect(await keyOf(study({ metrics: [] }))).toBe(plain)
    for (const metric of ['eval/accuracy', 'accuracy', 'test/accuracy', 'validation/accuracy']) {
      expect(await keyOf(study({ metric }))).toBe(plain)
    }
    const keys = [
      plain,
      await keyOf(study({ metric: 'eval/loss' })),
      await keyOf(study({ metrics: [counting('rows')] })),
      await keyOf(study({ metrics: [counting('other')] })),
      await keyOf(await fromNotebook('return 1')),
      await keyOf(await fromNotebook('return 0')),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(await keyOf(await fromNotebook('return 1 // a comment', '// %% other\nexport const unused = 1'))).toBe(
      keys[4],
    )
  })

  it.each([
    ['loss', 'test/loss', 'validation/loss'],
    ['eval/loss', 'test/loss', 'validation/loss'],
    ['test/loss', 'test/loss', 'validation/loss'],
    ['validation/loss', 'validation/loss', 'validation/loss'],
  ])('%s compares by %s, and %s chooses', async (metric, compared, chooses) => {
    const own = study({ metric })
    const { metric: by, planned } = await openStudy(own, {}, files)
    expect([by, planned[0]?.spec.metric]).toEqual([compared, 'loss'])
    const events = await eventsOf(own)
    const told = events.flatMap((event) => (event.type === 'metric' && event.meaning?.compared ? [event.name] : []))
    expect(new Set(told)).toEqual(new Set([compared]))
    const [first, second] = valuesOf(events, chooses) as [number, number]
    expect(valuesOf(events, 'chosen/step')).toEqual([second < first ? 2 : 1])
  })

  it('that fail are told once, with the line, and cost no run', async () => {
    const events = await eventsOf(await fromNotebook("throw new Error('no such class')"))
    expect(warningsOf(events)).toEqual(["metric 'recall' failed, and is not a number: recall:5: no such class"])
    expect(valuesOf(events, 'validation/recall')).toEqual([Number.NaN, Number.NaN])
    expect(valuesOf(events, 'validation/accuracy')).toHaveLength(2)
    expect(events.at(-1)?.type).toBe('done')
  })

  it.each([
    ['0 / 0', "metric 'recall' gave NaN"],
    ["'high' as unknown as number", "metric 'recall' gave a value of type string"],
    ['undefined as unknown as number', "metric 'recall' gave a value of type undefined"],
  ])('that give %s are told, too', async (value, message) => {
    const events = await eventsOf(await fromNotebook(`return ${value}`))
    expect(warningsOf(events)).toEqual([message])
    expect(events.at(-1)?.type).toBe('done')
  })

  it('leave no tensors', async () => {
    const own = metric('ones', { better: 'lower' }, () => ({ add: () => void ones([3]), value: () => ones([2]).size }))
    expect(valuesOf(await eventsOf(study({ metrics: [own] })), 'validation/ones')).toEqual([2, 2])
  })

  it('have names of their own, and the compared one exists', async () => {
    const [rows] = [counting('rows')]
    const taken = 'is taken: the task itself measures loss, accuracy, top5 and examples_per_second'
    expect(await problem(() => study({ metrics: [counting('accuracy')] }))).toBe(`s.metrics: 'accuracy' ${taken}`)
    expect(await problem(() => study({ metrics: [counting('loss')] }))).toBe(`s.metrics: 'loss' ${taken}`)
    expect(await problem(() => study({ metrics: [rows, rows] }))).toBe("s.metrics: 'rows' stands there twice")
    expect(await problem(() => study({ metrics: [rows], metric: 'eval/rowz' }))).toBe(
      "s.metric: unknown metric 'eval/rowz' (did you mean 'test/rows'?)",
    )
    expect(await problem(() => study({ metric: 'recall' }))).toBe(
      "s.metric: unknown metric 'recall' (known: test/loss, test/accuracy, test/top5, validation/loss, validation/accuracy, validation/top5)",
    )
    expect(await problem(() => study({ metrics: [{}] as never }))).toMatch(
      /^s\.metrics\.0: {}, expected a metric, made by/,
    )
  })
})

describe('a run with own metrics', () => {
  it('is recreated from its cells, with the same key', async () => {
    const { planned, origin } = await openStudy(await fromNotebook('return 1'), {}, files)
    const [run] = planned
    if (!run || !origin) throw new Error('not planned')
    const stored = { ...run, id: 1, origin: { ...origin, notebook: null, variant: run.variant } }
    const definitions = await evaluateAll(recreateNotebook(stored), { mixlab }, { console })
    const again = [...definitions.values()].map(({ value }) => value as Study).find(({ kind }) => kind === 'study')
    expect(again && (await keyOf(again))).toBe(run.key)
    expect(() => recreateNotebook({ ...stored, origin: null })).toThrow('the store has not the cells of its metrics')
  })
})
