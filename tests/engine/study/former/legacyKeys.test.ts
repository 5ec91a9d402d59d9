import { describe, expect, it } from 'vitest'
import { studiesIn } from '../../../../app/studies.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { legacyRuns } from '../../../../engine/study/former/legacyRuns.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { LONG } from '../../../long.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

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

/** Puts the runs of the studies of a notebook into a store as they were kept before, and runs the studies. */
async function again(code: string, takesFormer = true) {
  const studies = await studiesIn(IMPORTS + code, () => {})
  const runs = storeOf()
  for (const study of studies) {
    const former = await legacyRuns(await openStudy(study, {}, files))
    const kept = new Set((await runs.findDone(former.map(({ run }) => run.key))).map(({ key }) => key))
    for (const { run } of former) {
      if (kept.has(run.key)) continue
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
    const { before, trained, doubted, warnings } = await again(code, false)
    expect({ before, trained, doubted }).toEqual({ before: 1, trained: 2, doubted: 1 })
    expect(warnings[0]).toMatch(
      /^run 1 \(.*\) may have been trained with other code.*marked 'doubtful', and trained again$/,
    )
  })
})
