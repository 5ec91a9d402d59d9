import { describe, expect, it, vi } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import {
  adamw,
  add,
  batchNorm,
  bert,
  block,
  compare,
  dense,
  gmlp,
  image,
  mlm,
  mul,
  sequence,
  shapes,
} from '../../../engine/index.ts'
import type { PlannedRun, StoredRun, StudyEvent } from '../../../engine/records/run.ts'
import type { Study, StudySpec } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { startFrom, startingWeights, startOf } from '../../../engine/study/start/run.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { toyModel } from '../train/toy.ts'
import { memoryRuns } from './memory-runs.ts'

vi.mock('../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('../tasks/tiny-texts.ts')),
}))

const backend = { name: 'cpu', device: 'test' } as const
const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const tokenizer = { corpus: 'talk' }
/** A learning rate at which weights stay what they are, to the bit. */
const still = adamw({ learningRate: 1e-30, weightDecay: 0 })

const common = {
  model: { dim: 8, depth: 1, ffn: 16 },
  variants: { plain, gmlp: gmlp() },
  train: { steps: 2, batch: 4, evalExamples: 4 },
  seeds: 2,
}

const pretraining = (more: Partial<StudySpec> = {}) =>
  compare('pretraining', { task: mlm({ data: 'talk', tokens: 8, tokenizer }), ...common, ...more })

const tuning = (from: Study, more: Partial<StudySpec> = {}) => {
  const train = { ...common.train, optimizer: still }
  return compare('tuning', {
    task: sequence({ data: 'reviews', tokens: 8, tokenizer }),
    ...common,
    train,
    from,
    ...more,
  })
}

async function execute(study: Study, runs = memoryRuns(), more = {}): Promise<StudyEvent[]> {
  const all: StudyEvent[] = []
  for await (const event of executeStudy(study, { runs, files, backend, ...more })) all.push(event)
  return all
}

function planOf(events: StudyEvent[]) {
  return (events[0] as Extract<StudyEvent, { type: 'plan' }>).runs
}

const parametersOf = async (runs: ReturnType<typeof memoryRuns>, id: number) =>
  new Map(readSafetensors(await runs.readWeights(id)).tensors.map(({ name, values }) => [name, values]))

describe('startOf', () => {
  const run = (variant: string, seed: number) =>
    ({ key: `${variant} ${seed}`, study: 'before', variant, seed, spec: {}, code: '' }) satisfies PlannedRun
  const before = [run('a', 1), run('a', 2), run('b', 1)]

  it('is the run of the same variant and seed', () => {
    expect(startOf('s', before, 'a', 2)).toEqual({ key: 'a 2', study: 'before', variant: 'a', seed: 2 })
    expect(startOf('s', before, 'b', 1).key).toBe('b 1')
  })
  it('says which seeds and variants there are', () => {
    const refused = expect.objectContaining({ code: 'option', path: 's.from' })
    for (const [runs, variant] of [
      [before, 'a'],
      [before, 'other'],
      [[], 'a'],
    ] as const)
      expect(() => startOf('s', [...runs], variant, 3)).toThrow(refused)
    expect(() => startOf('s', before, 'a', 3)).toThrow("s.from: 'before' has no seed 3, only 1, 2")
    expect(() => startOf('s', before, 'other', 1)).toThrow("s.from: 'before' has no variant 'other' (known: a, b)")
  })
})

describe('startFrom', () => {
  const normed = block('normed', (x, { dim }) => add(x, batchNorm(dense(x, dim))))
  const from = { key: 'k', study: 'before', variant: 'a', seed: 1 }
  const run: PlannedRun = { key: 'own', study: 's', variant: 'a', seed: 1, spec: {}, code: '', from }

  it('gives weights and statistics of before, and counts what is trained of them', async () => {
    const [before, model] = [toyModel(normed), toyModel(normed, 2)]
    const file = await writeWeights(before.parameters)
    expect(await writeWeights(model.parameters)).not.toEqual(file)
    expect(startFrom(file, model, run)).toBe(model.size)
    expect(await writeWeights(model.parameters)).toEqual(file)
    expect(model.parameters.length).toBeGreaterThan(model.trained.length)
    for (const each of [before, model]) each.dispose()
  })
  it('refuses weights of which none fits', () => {
    const model = toyModel(normed)
    const other = writeSafetensors([{ name: 'other', shape: [1], values: Float32Array.of(1) }], {})
    expect(() => startFrom(other, model, run)).toThrow(
      expect.objectContaining({ code: 'weights', path: "s.from: 'before'" }),
    )
    model.dispose()
  })
})

describe('startingWeights', () => {
  const from = { key: 'k', study: 'before', variant: 'a', seed: 1 }
  const run: PlannedRun = { key: 'own', study: 's', variant: 'a', seed: 1, spec: {}, code: '', from }
  const asked: unknown[] = []
  const store = (found: object[]) => ({
    findDone: async (keys: string[]) => {
      asked.push(keys)
      return found as StoredRun[]
    },
    readWeights: async (id: number) => new Uint8Array([id]),
  })

  it('are those of the run that it starts from, or none', async () => {
    expect(await startingWeights(run, store([{ id: 5 }]))).toEqual(new Uint8Array([5]))
    expect(asked).toEqual([['k']])
    expect(await startingWeights({ ...run, from: undefined }, store([{ id: 5 }]))).toBeNull()
    expect(asked).toHaveLength(1)
  })
  it('are missed by name', async () => {
    await expect(startingWeights(run, store([]))).rejects.toMatchObject({
      code: 'option',
      message: "s.from: 'before' has no finished run of variant 'a' with seed 1",
    })
  })
})

describe('a study that starts from another', () => {
  it('has the weights of its runs, seed by seed and bit for bit, and a head of its own', async () => {
    const runs = memoryRuns()
    const parent = pretraining()
    await execute(parent, runs)
    const events = await execute(tuning(parent), runs)
    expect(events.at(-1)).toMatchObject({ trained: 4, failed: 0 })
    for (const [i, { study, variant, seed }] of runs.started.entries()) {
      if (study === 'pretraining') continue
      const origin = runs.started.findIndex((run) => run.variant === variant && run.seed === seed)
      const [before, after] = [await parametersOf(runs, origin + 1), await parametersOf(runs, i + 1)]
      const own = [...after.keys()].filter((name) => !before.has(name))
      expect(own).toEqual(['classifier.weight', 'classifier.bias'])
      for (const [name, values] of before) expect(after.get(name), name).toEqual(values)
    }
  })

  it('tells how much it took', async () => {
    const runs = memoryRuns()
    const parent = pretraining({ seeds: 1 })
    await execute(parent, runs)
    const events = await execute(tuning(parent, { seeds: 1 }), runs)
    const starts = events.flatMap((event) => (event.type === 'run' && event.event.type === 'start' ? event.event : []))
    expect(starts).toHaveLength(2)
    for (const { parameters, taken } of starts) expect(taken).toBe(parameters - (8 * 2 + 2))
  })

  it('between pictures and texts is refused for what they are, not for a tokenizer', async () => {
    const pictures = compare('pictures', {
      ...common,
      variants: { plain },
      task: image({ data: shapes({ train: 64, test: 20 }) }),
    } as never)
    const reason = "tuning.from: 'pictures' learns from image data, this study from text data, and weights fit only"
    await expect(execute(tuning(pictures, { variants: { plain } }))).rejects.toThrow(reason)
  })

  it('has keys that change with those of the other, and records which run it was', async () => {
    const runs = memoryRuns()
    const [parent, longer] = [pretraining(), pretraining({ train: { ...common.train, steps: 3 } })]
    for (const study of [parent, longer]) await execute(study, runs)
    const alone = tuning(parent)
    const plans = [tuning(parent), tuning(longer), compare('tuning', { ...alone.spec, from: undefined } as never)]
    const [a, b, c] = await Promise.all(plans.map(async (study) => planOf(await execute(study, runs))))
    expect(new Set([a, b, c].flatMap((plan) => plan?.map(({ key }) => key))).size).toBe(12)
    const origin = runs.started.find(
      ({ study, variant, seed }) => `${study} ${variant} ${seed}` === 'pretraining gmlp 1',
    )
    expect(a?.[1]?.spec.from).toEqual({ study: 'pretraining', variant: 'gmlp', seed: 1, key: origin?.key })
    expect(c?.[0]?.spec.from).toBeUndefined()
  })

  it('has the runs that it starts from trained first, and no others', async () => {
    const runs = memoryRuns()
    const parent = pretraining()
    const events = await execute(tuning(parent), runs, { only: ['gmlp'] })
    const told = events.filter(({ type }) => type === 'plan' || type === 'end')
    expect(told).toMatchObject([
      { type: 'plan', study: 'pretraining', metric: 'test/perplexity', variants: ['gmlp'] },
      { type: 'end', trained: 2 },
      { type: 'plan', study: 'tuning', metric: 'test/accuracy', variants: ['gmlp'] },
      { type: 'end', trained: 2 },
    ])
    expect(runs.started.map(({ study, seed }) => `${study} ${seed}`)).toEqual([
      ...['pretraining 1', 'pretraining 2', 'tuning 1', 'tuning 2'],
    ])
    expect((await execute(parent, runs)).at(-1)).toMatchObject({ trained: 2, cached: 2 }) // the others
    const again = await execute(tuning(parent, { variants: { gmlp: gmlp() } }), runs)
    expect(again.map(({ type }) => type)).toEqual(['plan', 'arms', 'end']) // nothing comes first
  })

  it('may start from one that starts from another', async () => {
    const runs = memoryRuns()
    const one = { seeds: 1, variants: { plain } }
    const middle = tuning(pretraining(one), { ...one, train: common.train })
    const last = compare('last', {
      ...middle.spec,
      task: sequence({ data: 'fewReviews', tokens: 8, tokenizer }),
      from: middle,
    })
    await execute(last, runs)
    expect(runs.started.map(({ study }) => study)).toEqual(['pretraining', 'tuning', 'last'])
    expect((await execute(last, runs)).at(-1)).toMatchObject({ trained: 0, cached: 1 })
  })

  it('goes on with an interrupted run that it starts from, and tells that it was interrupted', async () => {
    const runs = memoryRuns()
    const abort = new AbortController()
    const study = tuning(pretraining())
    let last: StudyEvent | undefined
    for await (const event of executeStudy(study, { runs, files, backend, signal: abort.signal })) {
      if (event.type === 'run' && event.event.type === 'step' && event.id === 2) abort.abort()
      last = event
    }
    expect(last).toEqual({ type: 'end', trained: 0, cached: 0, failed: 0, interrupted: true })
    expect(runs.started.every((run) => run.study === 'pretraining')).toBe(true)
    expect((await execute(study, runs)).at(-1)).toMatchObject({ trained: 4 })
  })

  it('fails a run whose start has failed, and no other', async () => {
    const broken = block('broken', (x) => mul(x, Number.NaN))
    const variants = { broken, plain }
    const events = await execute(tuning(pretraining({ seeds: 1, variants }), { seeds: 1, variants }))
    expect(events.at(-1)).toMatchObject({ trained: 1, failed: 1 })
    const failures = events.flatMap((event) =>
      event.type === 'run' && event.event.type === 'failed' ? [event.event.message] : [],
    )
    expect(failures).toEqual([
      expect.stringMatching(/^blocks\.0: loss is NaN at step 1: Multiply is the first to give such a value/),
      "tuning.from: 'pretraining' has no finished run of variant 'broken' with seed 1",
    ])
  })

  it('does not need them once it is trained itself', async () => {
    const runs = memoryRuns()
    const parent = pretraining({ seeds: 1 })
    await execute(parent, runs)
    await execute(tuning(parent, { seeds: 1 }), runs)
    for (const run of runs.started) if (run.study === 'pretraining') run.events.length = 0
    expect((await execute(tuning(parent, { seeds: 1 }), runs)).at(-1)).toMatchObject({ trained: 0, cached: 2 })
  })

  it('starts from the quick runs in the quick mode, and from as many seeds as asked', async () => {
    const runs = memoryRuns()
    const parent = pretraining({ seeds: 1, quick: { train: { steps: 1 } } })
    const study = tuning(parent, { seeds: 1 })
    await execute(study, runs, { quick: true })
    expect((await execute(parent, runs, { quick: true })).at(-1)).toMatchObject({ cached: 2 })
    expect((await execute(parent, runs)).at(-1)).toMatchObject({ trained: 2 })
    await execute(study, runs, { seeds: 2 })
    expect(runs.started.filter((run) => run.study === 'pretraining' && run.seed === 2)).toHaveLength(2)
  })

  it.each([
    [{ variants: { plain, gmpl: gmlp() } }, "'pretraining' has no variant 'gmpl' (did you mean 'gmlp'?)"],
    [{ seeds: [1, 5] }, "'pretraining' has no seed 5, only 1, 2"],
    [
      { task: sequence({ data: 'reviews', tokens: 8, tokenizer: { corpus: 'talk', vocabulary: 12 } }) },
      "the tokenizer of 'pretraining' is another; give both tasks the same",
    ],
    [{ model: { dim: 12 } }, "variant 'plain': 'embed.weight' is [22, 12], in 'pretraining' [22, 8]"],
    [{ model: { dim: 8, depth: 2, ffn: 16 } }, "variant 'plain': 'pretraining' has no 'blocks.1.dense.weight'"],
    [
      { variants: { gmlp: gmlp({ ffn: 32 }) } },
      "variant 'gmlp': 'blocks.0.mlp_channels.fc1.weight' is [32, 8], in 'pretraining' [16, 8]",
    ],
    [{ variants: { gmlp: plain } }, "variant 'gmlp': 'pretraining' has no 'blocks.0.dense.weight'"],
    [
      { variants: { plain: block('none', (x) => add(x, x)) } },
      "variant 'plain': has no 'blocks.0.dense.weight', which 'pretraining' has",
    ],
    [
      { task: sequence({ data: 'reviews', tokens: 9, tokenizer }), variants: { gmlp: gmlp() } },
      "variant 'gmlp': 'blocks.0.mlp_channels.gate.proj.toeplitz' is [17], in 'pretraining' [15]",
    ],
  ])('refuses what the other does not fit, before anything is trained: %#', async (more, message) => {
    const runs = memoryRuns()
    const refused = { code: 'option', message: expect.stringContaining(`tuning.from: ${message}`) }
    await expect(execute(tuning(pretraining(), more), runs)).rejects.toMatchObject(refused)
    expect(runs.started).toEqual([])
  })

  it('leaves out a head of another shape', async () => {
    const one = { seeds: 1, variants: { plain: bert({ heads: 2, positions: 8 }) } }
    const runs = memoryRuns()
    await execute(tuning(pretraining(one), one), runs)
    const [before, after] = [await parametersOf(runs, 1), await parametersOf(runs, 2)]
    expect([...before.keys()].filter((name) => !after.has(name))[0]).toMatch(/^cls\./)
    expect([...after.keys()].filter((name) => !before.has(name))[0]).toMatch(/^bert\.pooler\./)
  })

  it('is not stopped by code that cannot be seen through', async () => {
    const one = {
      seeds: 1,
      variants: { plain: block('reads', (x) => add(x, dense(x, x.sum().dataSync().length * 8))) },
    }
    const seen = { seeds: 1, variants: { plain } }
    for (const [before, after] of [
      [one, one],
      [one, seen],
      [seen, one],
    ] as const)
      expect((await execute(tuning(pretraining(before), after))).at(-1)).toMatchObject({ trained: 1, failed: 0 })
  })

  it.each([[{}], ['pretraining'], [gmlp]])('takes a study only: %#', (from) => {
    expect(() => tuning(from as unknown as Study)).toThrow(/^tuning\.from: .*, expected a study, made by compare\(\)/)
  })
})
