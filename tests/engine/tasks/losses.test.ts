import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { isStudy, type Study } from '../../../engine/study/compare.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { kindOf, type TaskSpec } from '../../../engine/tasks/index.ts'
import type { Batch } from '../../../engine/tasks/types.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { memoryFiles } from '../data/memory-files.ts'

onSimd()

const root = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Losses in float64 with NumPy, and their gradients by the logits: see make.py beside them. */
interface Golden {
  logits: number[][]
  teacher: number[][]
  target: number[]
  numbers: number[][]
  losses: Record<string, { value: number; gradient: number[][] }>
}
const golden: Golden = JSON.parse(read('tests/golden/losses/losses.json'))

const document = [...read('docs/tasks.md').matchAll(/^```ts\n([\s\S]*?)^```/gm)]
  .map(([, code]) => `// %%\n${code}`)
  .join('\n')
const values = async (text: string) =>
  new Map(
    [...(await evaluateAll(text, { mixlab, '@tensorflow/tfjs': tf }, { console }))].map(([name, { value }]) => [
      name,
      value,
    ]),
  )
const ready = await values(read('experiments/distillation.ts'))
const written = await values(document)
const tasks = new Map(
  [...ready, ...written].filter(([, value]) => (value as TaskSpec | null)?.kind === 'task') as [string, TaskSpec][],
)

/** The loss of a task on what the golden values were made of, and its gradient by the logits. */
async function lossOf(spec: TaskSpec, target: tf.Tensor) {
  const task = await kindOf(spec).open(spec.options, memoryFiles({}))
  return tf.tidy(() => {
    const teacher = tf.tensor2d(golden.teacher)
    const loss = (logits: tf.Tensor) => task.loss(logits, { input: logits, target, teacher } as Batch)
    const { value, grad } = tf.valueAndGrad(loss)(tf.tensor2d(golden.logits))
    return { value: value.dataSync()[0] as number, gradient: Array.from(grad.dataSync()) }
  })
}

const squared = mixlab.task('squared', { base: tasks.get('smooth') as TaskSpec, loss: mixlab.meanSquaredError })

it.each(Object.entries(golden.losses))(
  '%s: loss and gradient are those of NumPy, to 1e-5 of the largest entry',
  async (name, expected) => {
    const target = name === 'squared' ? tf.tensor2d(golden.numbers) : tf.tensor1d(golden.target, 'int32')
    const { value, gradient } = await lossOf(name === 'squared' ? squared : (tasks.get(name) as TaskSpec), target)
    target.dispose()
    const right = expected.gradient.flat()
    const most = Math.max(...right.map(Math.abs))
    expect(Math.abs(value - expected.value) / Math.abs(expected.value)).toBeLessThan(1e-5)
    expect(Math.max(...gradient.map((each, i) => Math.abs(each - (right[i] as number)))) / most).toBeLessThan(1e-5)
  },
)

it('every example of the document can be planned', async () => {
  expect([...written.keys()]).toEqual(expect.arrayContaining(['smooth', 'focal', 'losses', 'areas', 'contrastive']))
  const study = written.get('losses') as Study
  expect(isStudy(study)).toBe(true)
  for (const own of [undefined, 'areas', 'contrastive'].map((name) => (name ? tasks.get(name) : study.spec.task))) {
    const variants = own === study.spec.task ? study.spec.variants : { own: {} }
    const spec = { ...study.spec, task: own as TaskSpec, variants }
    const { planned } = await openStudy(mixlab.compare('document', spec), {}, memoryFiles({}))
    expect(planned.length).toBe(Object.keys(variants).length)
  }
})
