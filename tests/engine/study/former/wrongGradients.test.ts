import { expect, it } from 'vitest'
import { studiesIn } from '../../../../app/studies.ts'
import { wrongBefore } from '../../../../engine/study/former/wrongGradients.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { memoryFiles } from '../../data/memory-files.ts'

Error.stackTraceLimit = 50 // as in the kernel

/** What a block does to `x`, `[batch, 16, 8]`, or to `y`, its image of 4 by 4; whether tfjs had its gradient wrong. */
const CODE: [code: string, wrong: boolean][] = [
  ["tf.avgPool(y, 3, 1, 'same')", true],
  ["tf.avgPool(y, 2, 2, 'same')", false],
  ["tf.avgPool(y, 3, 1, 'valid')", false],
  ["tf.avgPool3d(tf.expandDims(y, 1), [1, 2, 2], 1, 'same')", true],
  ["tf.mirrorPad(x, [[0, 0], [1, 1], [0, 0]], 'reflect')", true],
  ['tf.pad(x, [[0, 0], [1, 1], [0, 0]])', false],
  ['tf.cumsum(x, 1)', true],
  ['tf.cumsum(x, 2)', false],
  ['tf.add(x, tf.cumsum(tf.ones([16, 1]), 0))', false],
  ['tf.image.resizeBilinear(y, [8, 8], false, true)', true],
  ['tf.image.resizeBilinear(y, [8, 8])', false],
  ['tf.floorDiv(x, tf.scalar(2))', true],
  ["tf.cast(tf.cast(x, 'int32'), 'float32')", true],
  ["tf.mul(x, tf.cast(tf.tensor([1.5]), 'int32'))", false],
  ['tf.max(x, 1)', true],
  ['tf.min(tf.ones([4]))', false],
  ['tf.abs(x)', true],
  ['tf.norm(x, Number.POSITIVE_INFINITY, 1)', true],
  ['tf.norm(x, 2, 1)', false], // the slope of a square is 0 at 0
  ['tf.logSumExp(x, 1)', false],
  ['(x.dataSync(), tf.cumsum(x, 1))', false], // nobody can say without running it
]

it('operations are named whose gradients were wrong, with these shapes and attributes, where gradients pass', async () => {
  const variants = CODE.map(
    ([code], i) =>
      `v${i}: block('b', (x) => { const y = tf.reshape(x, [-1, 4, 4, 8]); return tf.add(x, tf.sum(${code})) }),`,
  )
  const [study] = await studiesIn(
    `import { block, compare, image, shapes } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
const study = compare('s', {
  task: image({ data: shapes({ size: 16, train: 8, test: 4 }) }),
  model: { patch: 4, dim: 8, depth: 1 },
  variants: { ${variants.join('\n')} },
})`,
    () => {},
  )
  if (!study) throw new Error('no study')
  const { variants: opened } = await openStudy(study, {}, memoryFiles({}))
  const found: [string, boolean][] = []
  for (const [i, [code]] of CODE.entries()) {
    const variant = opened.find(({ name }) => name === `v${i}`)
    if (variant) found.push([code, (await wrongBefore(variant)).length > 0])
  }
  expect(found).toEqual(CODE)
})
