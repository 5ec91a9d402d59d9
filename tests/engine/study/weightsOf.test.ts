import { describe, expect, it, vi } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import { adamw, add, block, compare, dense, gmlp, image, mixer, mlm, shapes, weightsOf } from '../../../engine/index.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { plannedRun } from '../../../engine/records/store.ts'
import type { Study, StudySpec } from '../../../engine/study/compare.ts'
import { settingsOf } from '../../../engine/study/design/settings.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { only } from '../../../engine/study/only.ts'
import { openStudy } from '../../../engine/study/open.ts'
import type { OpenVariant } from '../../../engine/study/opened.ts'
import { recordedSpec } from '../../../engine/study/recreate/recorded.ts'
import { isIn } from '../../../engine/study/start/weightsOf.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { memoryRuns } from './memory-runs.ts'

vi.mock('../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('../tasks/tiny-texts.ts')),
}))

const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
/** A learning rate at which weights stay what they are, to the bit. */
const still = adamw({ learningRate: 1e-30, weightDecay: 0 })
const common = { seeds: 1, train: { steps: 1, batch: 4, evalExamples: 4, optimizer: still } }
/** Whose weights are other ones afterwards. */
const moving = { train: { ...common.train, steps: 3, optimizer: adamw({ learningRate: 0.1 }) } }
const body = gmlp({ dim: 8, depth: 1, ffn: 16, spatial: 'dense' })

const pictures = (more: Partial<StudySpec> = {}) =>
  compare('pictures', {
    task: image({ data: shapes({ size: 16, train: 32, test: 8 }) }),
    model: { patch: 8 },
    variants: { body },
    ...common,
    ...more,
  })
const texts = (from: StudySpec['from'], more: Partial<StudySpec> = {}) =>
  compare('texts', {
    task: mlm({ data: 'talk', tokens: 4, tokenizer: { corpus: 'talk' } }),
    variants: { body },
    ...common,
    ...(from && { from }),
    ...more,
  })

async function execute(study: Study, runs = memoryRuns()): Promise<StudyEvent[]> {
  const all: StudyEvent[] = []
  const backend = { name: 'cpu', device: 'test' } as const
  for await (const event of executeStudy(study, { runs, files, backend })) all.push(event)
  return all
}
const parametersOf = async (runs: ReturnType<typeof memoryRuns>, id: number) =>
  new Map(
    readSafetensors(await runs.readWeights(id)).tensors.map(({ name, values }) => [name, [...values].map(settled)]),
  )
/** Zeros stay zeros, as other values do at that learning rate. */
const settled = (value: number) => (Math.abs(value) < 1e-20 ? 0 : value)
const planned = async (study: Study) => (await openStudy(study, {}, files)).planned[0]

describe('a study that takes a part of the weights of another', () => {
  it('has that part bit for bit, and the rest as it starts without', async () => {
    const runs = memoryRuns()
    const moved = texts(weightsOf(pictures(moving), { fresh: ['stem', 'embed'] }))
    await execute(pictures(moving), runs)
    const events = await execute(moved, runs)
    expect(events.at(-1)).toMatchObject({ trained: 1, failed: 0 })
    await execute(texts(undefined), runs)
    const [before, after, fresh] = await Promise.all([1, 2, 3].map((id) => parametersOf(runs, id)))
    for (const [name, values] of after ?? []) {
      const source = name.startsWith('embed') ? fresh : before
      expect(values, name).toEqual(source?.get(name))
      if (name.endsWith('fc2.weight')) expect(values, name).not.toEqual(fresh?.get(name))
    }
    const [start] = events.flatMap((each) => (each.type === 'run' && each.event.type === 'start' ? [each.event] : []))
    expect(start?.taken).toBe((start?.parameters ?? 0) - (after?.get('embed.weight')?.length ?? 0))
  })

  it('may leave any layer out, by its name in all blocks', async () => {
    const runs = memoryRuns()
    await execute(pictures(moving), runs)
    await execute(pictures({ from: weightsOf(pictures(moving), { fresh: ['blocks.*.mlp_channels.gate'] }) }), runs)
    await execute(pictures(), runs)
    const [before, after, fresh] = await Promise.all([1, 2, 3].map((id) => parametersOf(runs, id)))
    for (const [name, values] of after ?? []) {
      const source = name.includes('.gate.') ? fresh : before
      expect(values, name).toEqual(source?.get(name))
    }
  })

  it('has a key of its own, and a study without has the key that it had', async () => {
    const all = [
      pictures(),
      pictures({ from: pictures() }),
      pictures({ from: weightsOf(pictures(), { fresh: ['stem'] }) }),
      pictures({ from: weightsOf(pictures(), { fresh: ['stem', 'blocks'] }) }),
      pictures({ from: weightsOf(pictures(), { tokens: 'copied' }) }),
      pictures({ from: weightsOf(pictures(), { tokens: 'resized' }) }),
    ]
    const runs = await Promise.all(all.map(planned))
    expect(new Set(runs.map((run) => run?.key)).size).toBe(all.length)
    const turned = await planned(pictures({ from: weightsOf(pictures(), { fresh: ['blocks', 'stem', 'stem'] }) }))
    expect(turned?.key).toBe(runs[3]?.key)
    const { spec } = runs[1] as { spec: Record<string, unknown> }
    expect(Object.keys(spec.from as object).sort()).toEqual(['key', 'seed', 'study', 'variant'])
    for (const run of runs) expect(plannedRun.parse({ ...run, from: run?.from })).toMatchObject({ key: run?.key })
    expect(recordedSpec(turned?.spec, 'r').from).toEqual(turned?.from)
  })

  it('says what it takes, and stays what it is where a part of it is run', async () => {
    const start = weightsOf(pictures(), { fresh: ['stem'], tokens: 'copied' })
    const study = pictures({
      variants: { whole: { block: body, from: pictures() }, part: { block: body, from: start } },
    })
    const [variant] = (await openStudy(pictures(), {}, files)).variants as [OpenVariant]
    expect(
      settingsOf([
        { ...variant, from: pictures(), parts: { from: pictures() } },
        { ...variant, from: start, parts: { from: start } },
      ]),
    ).toEqual([{ from: 'pictures' }, { from: 'pictures, fresh stem, tokens copied' }])
    expect(Object.keys(study.spec.variants)).toEqual(['whole', 'part'])
    expect(only(pictures({ from: start }), { seeds: 1 }).spec.from).toMatchObject({
      kind: 'weightsOf',
      fresh: ['stem'],
    })
  })

  it.each([
    [['embed'], "has no 'stem.proj.weight', which 'pictures' has; fresh: ['stem'] leaves it"],
    [['stem'], "'pictures' learns from image data, this study from text data"],
    [['stem', 'embed', 'gates'], "nothing in it or in 'pictures' is called 'gates'"],
  ])('refuses what fits nowhere, unless it starts fresh: %j', async (fresh, message) => {
    await expect(execute(texts(weightsOf(pictures(), { fresh })))).rejects.toThrow(message)
  })
  it('refuses parts of another shape, and code that cannot be seen through', async () => {
    const more = { variants: { body: gmlp({ dim: 8, depth: 1, ffn: 32, spatial: 'dense' }) } }
    await expect(execute(texts(weightsOf(pictures(), { fresh: ['stem', 'embed'] }), more))).rejects.toThrow(
      "texts.from: variant 'body', from 'pictures': 'blocks.0.mlp_channels.fc1.weight' is [16,8], in the model [32,8]",
    )
    const reads = block('reads', (x) => add(x, dense(x, x.sum().dataSync().length * 8)))
    const own = { model: { patch: 8, dim: 8, depth: 1 }, variants: { body: reads } }
    await expect(execute(pictures({ ...own, from: weightsOf(pictures(own), { fresh: ['stem'] }) }))).rejects.toThrow(
      "pictures.from: variant 'body': its code needs values",
    )
  })
  it.each([
    [() => weightsOf({} as never, { fresh: ['stem'] }), 'weightsOf: expected a study'],
    [() => weightsOf(pictures(), {}), 'weightsOf: expected fresh or tokens'],
    [() => weightsOf(pictures(), { fresh: [] }), 'weightsOf.fresh: '],
    [() => weightsOf(pictures(), { fresh: ['a..b'] }), "weightsOf.fresh.0: 'a..b', expected"],
    [() => weightsOf(pictures(), { tokens: 'copies' as never }), "weightsOf.tokens: unknown value 'copies'"],
  ])('refuses other options: %#', (make, message) => {
    expect(make).toThrow(message)
  })

  it('tells parts by whole names', () => {
    expect(isIn('blocks.0.norm1.weight', 'blocks')).toBe(true)
    expect(isIn('blocks.0.norm1.weight', 'blocks.*.norm1')).toBe(true)
    expect(isIn('blocks.0.norm1.weight', 'blocks.*.norm')).toBe(false)
    expect(isIn('norm.weight', 'norm.weight.values')).toBe(false)
  })
})

describe('a study that takes matrices over tokens for a larger image', () => {
  const small = pictures({ variants: { body: mixer({ dim: 8, depth: 1, tokenRatio: 0.5 }) } })
  const larger = (tokens?: 'copied' | 'resized', tokenRatio = 2) =>
    compare('larger', {
      ...small.spec,
      task: image({ data: shapes({ size: 32, train: 32, test: 8 }) }),
      variants: { body: mixer({ dim: 8, depth: 1, tokenRatio }) },
      from: tokens ? weightsOf(small, { tokens }) : small,
    })

  it('has copies of them, with as many more hidden tokens', async () => {
    const runs = memoryRuns()
    await execute(small, runs)
    expect((await execute(larger('copied'), runs)).at(-1)).toMatchObject({ trained: 1 })
    const [before, after] = await Promise.all([1, 2].map((id) => parametersOf(runs, id)))
    const sum = (values: number[] = []) => values.reduce((all, value) => all + value, 0)
    for (const layer of ['fc1', 'fc2']) {
      const name = `blocks.0.mlp_tokens.${layer}.weight`
      expect(after?.get(name)?.length).toBe(16 * (before?.get(name)?.length ?? 0))
      expect(sum(after?.get(name))).toBeCloseTo(4 * sum(before?.get(name)), 4)
    }
  })
  it('is refused without, and where the hidden tokens are not as many more', async () => {
    await expect(execute(larger())).rejects.toThrow(
      "'blocks.0.mlp_tokens.fc1.weight' is [16, 16], in 'pictures' [4, 4]",
    )
    await expect(execute(larger('copied', 1))).rejects.toThrow(
      "'blocks.0.mlp_tokens.fc1.weight' is [4,4], in the model [8,16]",
    )
  })
})
