import { expect, it } from 'vitest'
import type { StoredRun } from '../../../engine/records/run.ts'
import { LONG } from '../../long.ts'
import { freshFolder, mixlab, writeNotebook } from './recorder.ts'

/** The mean over classes of the share that is recognised; `better` says what the study makes of it. */
const NOTEBOOK = (better: string) => `// %% recall
import { metric } from 'mixlab'
export const macroRecall = metric('macro_recall', { better: '${better}', unit: 'share', bounds: [0, 1] }, () => {
  const all: number[] = []
  const right: number[] = []
  return {
    add(prediction, { target }) {
      const classes = prediction.length / target.length
      target.forEach((label, i) => {
        const row = prediction.subarray(i * classes, (i + 1) * classes)
        all[label] = (all[label] ?? 0) + 1
        right[label] = (right[label] ?? 0) + Number(row.indexOf(Math.max(...row)) === label)
      })
    },
    value: () => right.reduce((sum, count, label) => sum + count / all[label], 0) / all.filter(Boolean).length,
  }
})

// %% study
import { adamw, block, compare, image, mixer, mul, shapes } from 'mixlab'
export const idle = block('idle', (x) => mul(x, 0))
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 384, test: 100 }) }),
  model: { patch: 16, dim: 32, depth: 1 },
  variants: { idle, mixer: mixer() },
  train: { steps: 24, batch: 32, evalEvery: 12, optimizer: adamw({ learningRate: 3e-3 }) },
  metrics: [macroRecall],
  metric: 'test/macro_recall',
  seeds: 6,
})
`

async function run(better: string, ...more: string[]) {
  const folder = freshFolder()
  const ran = await mixlab(['run', writeNotebook(folder, NOTEBOOK(better)), '--json', '--workspace', folder, ...more])
  expect(ran.code).toBe(0)
  return { folder, result: JSON.parse(ran.out[0] ?? '') }
}

it('a metric of a cell is judged, stored, charted and given a verdict, in jobs, too', async () => {
  const { folder, result } = await run('higher', '--jobs', '2')
  expect(result).toMatchObject({ metric: 'test/macro_recall', trained: 12, failed: 0 })
  const [idle, learned] = result.rows
  expect(learned.mean).toBeGreaterThan(idle.mean)
  const meaning = { better: 'higher', unit: 'share', bounds: [0, 1], words: 'macro recall', compared: true }
  expect(result.verdicts).toMatchObject([{ variant: 'mixer', claim: 'better', wins: 6, meaning }])
  expect(result.verdicts[0].sentence).toMatch(
    /^mixer has a better macro recall than \S+ by \d+\.\d points \(95% CI .*; 6 of 6 seeds, p = 0\.031\); /,
  )

  const runs = JSON.parse((await mixlab(['runs', '--json', '--workspace', folder])).out[0] ?? '') as StoredRun[]
  for (const { metrics } of runs) {
    const { best, last, min, max, count, meaning: stored } = metrics['test/macro_recall'] ?? ({} as never)
    expect([best, count, stored]).toEqual([max, 1, meaning])
    expect(metrics['validation/macro_recall']?.count).toBe(2)
    expect([last, min].every((value) => value >= 0 && value <= best)).toBe(true)
  }
  const table = await mixlab(['runs', '--group', '--format', 'csv', '--workspace', folder])
  expect(table.out[0]).toContain('test/macro_recall')
  const shown = await mixlab(['runs', '--group', '--workspace', folder])
  expect(shown.out[0]).toContain('test/macro_recall, %')
  const one = await mixlab(['show', '1', '--workspace', folder])
  expect(one.out.find((line) => line.startsWith('test/macro_recall'))).toMatch(
    /macro recall; higher is better; from 0 to 1$/,
  )
})

it.runIf(LONG)('the same values are a loss where the cell says so', async () => {
  const { result } = await run('lower')
  expect(result.verdicts).toMatchObject([{ variant: 'mixer', claim: 'worse', losses: 6, meaning: { better: 'lower' } }])
})

it('what is wrong with a metric is told before training', async () => {
  const folder = freshFolder()
  const path = writeNotebook(folder, NOTEBOOK('higher').replace("metric: 'test/macro_recall'", "metric: 'test/recall'"))
  const { code, err } = await mixlab(['run', path, '--workspace', folder])
  expect(code).not.toBe(0)
  expect(err.join('\n')).toMatch(
    /tiny\.metric: unknown metric 'test\/recall' \(known: test\/loss, .*validation\/macro_recall\)/,
  )
})
