import { expect, it } from 'vitest'
import { adamw, compare, discs, mixer, r2, regression, shapes } from '../../../engine/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { Study } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { openStudy } from '../../../engine/study/open.ts'
import type { TaskSpec } from '../../../engine/tasks/index.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { noFiles as files } from '../data/memory-files.ts'
import { memoryRuns } from '../study/memory-runs.ts'

onSimd()

const data = discs({ size: 16, train: 128, test: 32, difficulty: 0 })
const study = (task: TaskSpec, steps = 60): Study =>
  compare('areas', {
    task,
    model: { patch: 8, dim: 8, depth: 1 },
    variants: { mixer },
    train: { steps, batch: 16, evalEvery: 30, optimizer: adamw({ learningRate: 1e-2 }), histograms: false },
    seeds: 1,
  })

it('learns a number, as a program', async () => {
  const runs = memoryRuns()
  for await (const _ of executeStudy(study(regression({ data })), {
    runs,
    files,
    backend: { name: 'simd', device: 'test' },
  }));
  const events: TrainEvent[] = runs.started[0]?.events ?? []
  const values = (name: string) => events.flatMap((e) => (e.type === 'metric' && e.name === name ? [e.value] : []))
  expect(events.filter(({ type }) => type === 'warning' || type === 'failed')).toEqual([])
  expect(values('test/r2')[0]).toBeGreaterThan(0.2)
  expect(values('train/loss').at(-1)).toBeLessThan(values('train/loss')[0] as number)
})

it('is another run where it asks for another part, and refuses classes', async () => {
  const keyOf = async (own: TaskSpec) => (await openStudy(study(own, 1), {}, files)).planned[0]?.key
  expect(await keyOf(regression({ data }))).not.toBe(await keyOf(regression({ data, target: 'image' })))
  await expect(keyOf(regression({ data: shapes({ size: 16 }) }))).rejects.toThrow(
    "task 'regression': the target has classes, expected numbers",
  )
})

it('R2 is 1 less the share of the variance that is left', () => {
  const all = r2.collect()
  all.add(Float32Array.of(1, 2), { target: Float32Array.of(1, 3) })
  all.add(Float32Array.of(6), { target: Float32Array.of(5) })
  expect(all.value()).toBeCloseTo(1 - 2 / 8, 12)
})
