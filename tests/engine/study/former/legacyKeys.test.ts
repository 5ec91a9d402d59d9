import { describe, expect, it, vi } from 'vitest'
import { studiesIn } from '../../../../app/studies.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { type LegacyRun, legacyRuns } from '../../../../engine/study/former/legacyRuns.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { LONG } from '../../../long.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

// The keys below were kept with NUMERICS 4; what was trained with others is trained again, whatever its key was made of.
vi.mock('../../../../engine/records/numerics.ts', () => ({ NUMERICS: 4 }))

Error.stackTraceLimit = 50 // as in the kernel
const files = memoryFiles({})
const backend = { name: 'cpu', device: 'test' } as const
const IMPORTS = `// %% imports
import { add, block, compare, dense, image, metric, mixer, mul, normal, pair, shapes, usualFrames, world } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
const common = { task: image({ data: shapes({ train: 32, test: 8 }) }), model: { patch: 16, dim: 8, depth: 1 }, train: { steps: 1, batch: 2 }, seeds: 1 }
// %% code
`
const COUNTS = "metric('m', { better: 'higher' }, () => { let n = 0; return { add() { n += k }, value: () => n } })"
const STEM = `block('b', {}, (x) => x, { text: { ...usualFrames.text, stem(ids, size, n, { types }) {
  const y = usualFrames.text.stem(ids, size, n, {})
  return types ? add(y, tf.expandDims(tf.mul(tf.cast(types, 'float32'), k), -1)) : y
} } })`
const PAIRS = 'task: pair({ data: world({ train: 32, test: 8 }), tokens: 8, tokenizer: { vocabulary: 60 } })'

/** A store in which runs can be looked at. */
function storeOf() {
  const doubted: string[] = []
  const runs = memoryRuns()
  const lookAt = async (keys: string[]) => runs.findDone(keys)
  return { ...runs, lookAt, doubted, doubtRuns: async (keys: string[]) => void doubted.push(...keys) }
}

/** As runs were kept while the tokens of cells were in keys, with what they do where that could be recorded. */
const asTokens = (forms: LegacyRun[]) => forms.find(({ era }) => era === 'tokens')?.run.key

/**
 * Puts the runs of the studies of a notebook into a store under the key that `keyThen` chooses of the former ones of each,
 * and runs the studies.
 */
async function again(code: string, { takesFormer = true, keyThen = asTokens } = {}) {
  const studies = await studiesIn(IMPORTS + code, () => {})
  const runs = storeOf()
  for (const study of studies) {
    const former = Map.groupBy(await legacyRuns(await openStudy(study, {}, files)), ({ key }) => key)
    const all = [...former.values()]
    const kept = new Set((await runs.findDone(all.flat().map(({ run }) => run.key))).map(({ key }) => key))
    for (const forms of all) {
      const run = forms.find(({ run }) => run.key === keyThen(forms))?.run
      if (!run || kept.has(run.key)) continue
      kept.add(run.key)
      const begun = await runs.beginRun({ ...run, backend: 'cpu', device: 'test' })
      await runs.record(begun?.id ?? 0, [{ type: 'done', step: 1 }])
    }
  }
  const before = runs.started.length
  const warnings: string[] = []
  for (const study of studies) {
    for await (const event of executeStudy(study, { runs, files, backend })) {
      if (event.type === 'warning') warnings.push(event.message)
    }
  }
  if (takesFormer) expect(runs.doubted).toEqual([])
  return { before, trained: runs.started.length - before, doubted: new Set(runs.doubted).size, warnings }
}

describe('runs from before keys said what code does', () => {
  it.each([
    [
      'of a block',
      "const mine = block('b', (x, { dim }) => add(x, dense(x, dim)))\nconst s = compare('s', { ...common, variants: { mine } })",
      1,
    ],
    [
      'of a factory',
      "const make = (k) => block('b', (x) => mul(x, k))\nconst s = compare('s', { ...common, variants: { a: make(1), b: make(2) } })",
      2,
    ],
    [
      'of a metric',
      `const k = 1\nconst m = ${COUNTS}\nconst s = compare('s', { ...common, metrics: [m], variants: { mixer } })`,
      1,
    ],
    [
      'of metrics of two names',
      `const make = (k) => ${COUNTS.replace("'m'", "'m' + k")}\nconst s = compare('s', { ...common, metrics: [make(1), make(2)], variants: { mixer } })`,
      1,
    ],
    [
      'of segments',
      `const make = (k) => ${STEM}\nconst s = compare('s', { ...common, ${PAIRS}, variants: { a: make(1) } })`,
      1,
    ],
    [
      'of code that cannot be recorded',
      "const mine = block('b', (x) => (x.dataSync(), x))\nconst s = compare('s', { ...common, variants: { mine } })",
      1,
    ],
  ])('are taken: %s', async (_, code, count) => {
    const { before, trained, warnings } = await again(code)
    expect(before).toBe(count)
    expect(warnings).toEqual([])
    expect(trained).toBe(0)
  })

  it('are gone on from by what starts from them', async () => {
    const code = `const mine = block('b', (x, { dim }) => add(x, dense(x, dim)))
const a = compare('a', { ...common, variants: { mine } })
const b = compare('b', { ...common, from: a, variants: { mine } })`
    expect(await again(code)).toMatchObject({ before: 2, trained: 0, warnings: [] })
  })

  const large = 'add(x, dense(dense(dense(x, 1100, { weight: normal(1) }), 2000), dim, { weight: normal(k) }))'
  const beyond = `const make = (k) => block('b', (x, { dim }) => ${large})\nconst s = compare('s', { ...common, variants: { a: make(1), b: make(2) } })`
  it.each<[string, string]>([
    ...(LONG ? ([['first values beyond what was looked at', beyond]] satisfies [string, string][]) : []),
    [
      'segments',
      `const make = (k) => ${STEM}\nconst s = compare('s', { ...common, ${PAIRS}, variants: { a: make(1), b: make(2) } })`,
    ],
    [
      'metrics of one factory',
      `const make = (k) => ${COUNTS}\nconst s = compare('s', { ...common, metrics: [make(1)], variants: { mixer } })\nconst t = compare('t', { ...common, metrics: [make(2)], variants: { mixer } })`,
    ],
  ])('are marked and trained again where others had their key: %s', async (_, code) => {
    const { before, trained, doubted, warnings } = await again(code, { takesFormer: false })
    expect({ before, trained, doubted }).toEqual({ before: 1, trained: 2, doubted: 1 })
    expect(warnings[0]).toMatch(
      /^run 1 \(.*\) may have been trained with other code.*marked 'doubtful', and trained again$/,
    )
  })
})

const MINE = "const s = compare('s', { ...common, variants: { mine } })"
const CAPTURED = 'const { mean, softmax, stack } = tf'
const STACKED = "const mine = block('b', (x, { dim }) => tf.mean(tf.stack([x, dense(x, dim)], -1), -1))"
const MEAN = `const m = metric('m', { better: 'higher' }, () => {
  let n = 0
  return { add(z) { n = mean(softmax(z)).dataSync()[0] }, value: () => n }
})`

/** Notebooks, and how their keys began while keys had digests of code, in Node and in the page, and tokens before that. */
const KEPT: [what: string, code: string, keys: { node?: string; page?: string; tokens: string }][] = [
  ['axes from the end, which had wrong shapes', `${STACKED}\n${MINE}`, { node: '83fe25de61', tokens: 'aff2bee976' }],
  [
    'the same with captured functions of tfjs',
    `${CAPTURED}\nconst mine = block('b', (x, { dim }) => mean(stack([x, dense(x, dim)], -1), -1))\n${MINE}`,
    { node: '322c7fce14', page: 'bddedcf8c5', tokens: '591fb52ed8' },
  ],
  [
    'code that needs values, with captured functions of tfjs',
    `${CAPTURED}\nconst mine = block('b', (x) => (x.dataSync(), softmax(x)))\n${MINE}`,
    { page: '1151915050', tokens: '85ddbac89d' },
  ],
  [
    'a metric with captured functions of tfjs',
    `${CAPTURED}\n${MEAN}\nconst s = compare('s', { ...common, metrics: [m], variants: { mixer } })`,
    { page: 'ed012d7cd3', tokens: '6524eb0b95' },
  ],
  [
    'axes from the end, and such a metric',
    `${CAPTURED}\n${STACKED}\n${MEAN}\nconst s = compare('s', { ...common, metrics: [m], variants: { mine } })`,
    { node: 'f56f2ef099', page: '46778ec722', tokens: '71cb3c9c3e' },
  ],
  [
    'code that nothing describes',
    `const last = ((x) => tf.mean(tf.stack([x, x], -1), -1)).bind(null)\nconst mine = block('b', (x) => last(x))\n${MINE}`,
    { node: '5674981fdf', tokens: '5674981fdf' },
  ],
]
/** Chooses the former keys that begin so. */
const oneOf = (...keys: string[]) => {
  return (forms: LegacyRun[]) => forms.find(({ run }) => keys.some((key) => run.key.startsWith(key)))?.run.key
}

describe('runs that earlier versions kept under other keys', () => {
  const cases = KEPT.flatMap(([what, code, keys]) => Object.entries(keys).map((each) => [what, ...each, code] as const))
  it.each(cases)('are taken: %s, by %s', async (_, __, key, code) => {
    expect(await again(code, { keyThen: oneOf(key) })).toMatchObject({ before: 1, trained: 0, warnings: [] })
  })

  it.each([
    ['83fe25de61', 'c8b0f0da12'],
    ['aa7cbf6501', '76d7b69471'],
  ])('are taken where one starts from another: %s, %s', async (...keys) => {
    const code = `${STACKED}
const first = compare('first', { ...common, variants: { mine } })
const s = compare('s', { ...common, from: first, variants: { mine } })`
    expect(await again(code, { keyThen: oneOf(...keys) })).toMatchObject({ before: 2, trained: 0, warnings: [] })
  })

  const rounded = 'tf.floorDiv(dense(x, dim), tf.scalar(2))'
  it.each([
    ['e44e84153f', `tf.mean(tf.stack([x, ${rounded}], -1), -1)`],
    ['aff85178a9', `add(x, ${rounded})`],
  ])('are marked and trained again where their gradients were wrong: %s', async (key, code) => {
    const notebook = `const mine = block('b', (x, { dim }) => ${code})\n${MINE}`
    const { before, trained, doubted, warnings } = await again(notebook, { takesFormer: false, keyThen: oneOf(key) })
    expect({ before, trained, doubted }).toEqual({ before: 1, trained: 1, doubted: 1 })
    expect(warnings[0]).toBe(
      "run 1 ('mine') may have been trained by a wrong gradient of floorDiv, which an earlier version had; it is marked 'doubtful', and trained again",
    )
  })

  const more = "import { abs, concat, max, mean, scan, sigmoid, split, square, sub, surrogate, task } from 'mixlab'\n"
  const mine = (body: string) => `${more}const mine = block('b', (x, { dim }) => ${body})\n${MINE}`
  const losing = (loss: string) => `${more}const mine = block('b', (x, { dim }) => add(x, dense(x, dim)))
const t = task('t', { base: common.task, loss: (p, y) => ${loss} })
const s = compare('s', { ...common, task: t, variants: { mine } })`
  const missed = 'sub(p, tf.oneHot(y, 10))'
  const corrected: [what: string, key: string, code: string][] = [
    [' of max', '2c9d297b09', mine('add(x, max(dense(x, dim), 1, true))')],
    [' of abs', '6275397cd9', mine('add(x, tf.abs(dense(x, dim)))')],
    [' of norm', '6d027ac4e5', mine('add(x, tf.norm(dense(x, dim), Number.POSITIVE_INFINITY, 1, true))')],
    ['', '5574de4dc1', mine('concat(split(dense(x, dim), 2).reverse(), -1)')],
    [
      '',
      '97c5abf041',
      mine('{ const parts = split(dense(x, dim), 2); parts[0] = square(parts[0]); return concat(parts, -1) }'),
    ],
    [
      '',
      '186d0c99d2',
      mine('{ const y = tf.reshape(dense(x, dim), [-1, 1, dim]); return tf.reshape(scan(sigmoid(y), y), x.shape) }'),
    ],
    [' of maximum', 'e64504a7c2', mine('add(x, tf.maximum(dense(x, dim), 0))')],
    ['', '9f224c9129', mine('surrogate((x) => x, (dy) => tf.neg(dy))(dense(x, dim))')],
    ['', '2de3785972', mine('(x.dataSync(), add(x, max(dense(x, dim), 1, true)))')],
    [' of abs', '096e1d2e27', losing(`mean(abs(${missed}))`)],
  ]
  it.each(corrected)('are marked where gradients were corrected since:%s, %s', async (what, key, code) => {
    const { before, trained, doubted, warnings } = await again(code, { takesFormer: false, keyThen: oneOf(key) })
    expect({ before, trained, doubted }).toEqual({ before: 1, trained: 1, doubted: 1 })
    expect(warnings[0]).toBe(
      `run 1 ('mine') may have been trained by a wrong gradient${what}, which an earlier version had; it is marked 'doubtful', and trained again`,
    )
  })

  it('are taken where the gradient was right under another key: the length of a vector', async () => {
    const code = mine('add(x, tf.norm(dense(x, dim), 2, 1, true))')
    expect(await again(code, { keyThen: oneOf('be35613cee') })).toMatchObject({ before: 1, trained: 0, warnings: [] })
  })

  it.each([
    ['cb8ea3a3a0', mine('add(x, tf.logSumExp(dense(x, dim), -1, true))')],
    ['2f2fc26ecb', mine('concat(split(dense(x, dim), 2).toReversed(), -1)')],
    ['1338a396fa', mine('add(x, surrogate((x) => tf.round(x), (dy) => dy)(dense(x, dim)))')],
    ['3db8271930', mine('scan(sigmoid(x), dense(x, dim))')],
    ['cd2eab991f', mine('(x.dataSync(), add(x, dense(x, dim)))')],
    ['815ff56ed5', losing(`mean(square(${missed}))`)],
  ])('have the same keys where gradients were right all along: %s', async (key, code) => {
    const [study] = await studiesIn(IMPORTS + code, () => {})
    const { planned } = await openStudy(study as Study, {}, files)
    expect(planned[0]?.key.slice(0, key.length)).toBe(key)
  })
})
