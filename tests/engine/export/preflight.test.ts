import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { studiesIn } from '../../../app/studies.ts'
import { preflight } from '../../../engine/export/preflight.ts'
import { preflightText } from '../../../engine/records/preflight.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { memoryFiles } from '../data/memory-files.ts'

// as where cells run: 10 frames are too few to reach the line of a cell
Error.stackTraceLimit = 50

const NOTEBOOK = `// %% mine
import * as tf from '@tensorflow/tfjs'
import { block, compare, dense, gmlp, image, mixer, mul, residual, shapes, stack, stages } from 'mixlab'
const values = block('values', (x, { dim }) => {
  const scale = x.dataSync()[0] > 0 ? 1 : 2
  return residual(x, mul(dense(x, dim), scale))
})
const odd = block('odd', (x, { dim }) => {
  const y = dense(x, dim)
  return residual(x, tf.atan2(y, x))
})
const narrow = block('narrow', (x, { dim }) => dense(x, dim / 2))
const broken = block('broken', (x) => notThere(x))
export const s = compare('s', {
  task: image({ data: shapes({ size: 16, train: 16, test: 4 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: {
    ...{ gmlp, values, odd, broken, narrow: stack('narrowed', [narrow, mixer]) },
    pyramid: stages('pyramid', [{ block: mixer, depth: 1 }, { block: gmlp, depth: 1, dim: 12 }]),
    far: stages('far', [{ block: mixer, depth: 1 }, { block: gmlp, depth: 1, merge: 3 }]),
  },
  train: { steps: 1, batch: 4 },
})
`

const WIDE = `// %% wide
import { block, compare, dense, einsum, image, ones, parameter, reshape, residual, shapes } from 'mixlab'
const wide = block('wide', (x, { dim }) => {
  const y = reshape(dense(x, dim), [-1, 2, 2, 4, 2, 2, 2])
  const w = parameter('w', [2], ones)
  return residual(x, reshape(einsum('abcdefg,g->agbfced', y, w), x.shape))
})
export const s = compare('s', {
  task: image({ data: shapes({ size: 16, train: 16, test: 4 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: { wide },
  train: { steps: 1, batch: 4 },
})
`

/** What is said of each variant, by its name. */
async function said(backend: 'simd' | 'webgpu' | 'cpu', notebook = NOTEBOOK): Promise<Record<string, string>> {
  const [study] = await studiesIn(notebook, () => {})
  if (!study) throw new Error('no study')
  const { variants } = await openStudy(study, {}, memoryFiles({}))
  const texts: Record<string, string> = {}
  for (const variant of variants) texts[variant.name] = preflightText(await preflight(variant, backend))
  return texts
}

const LEAVES = 'leaves as ONNX, PyTorch and TF.js'

describe('what is said of a variant before it is trained', () => {
  it('is its size, whether it is a program and leaves, and else which line is in the way', async () => {
    expect(await said('simd')).toEqual({
      gmlp: `2,434 parameters, 36,944 multiply-adds, runs as a program, ${LEAVES}`,
      values: `642 parameters, runs operation by operation (mine:4: reads values of a tensor), ${LEAVES}`,
      odd: "642 parameters, 8,272 multiply-adds, runs as a program, leaves as safetensors and npz alone (mine:9: no operation 'Atan2')",
      broken: 'fails before its first step: mine:12: notThere is not defined',
      narrow:
        "fails before its first step: block 'narrow': returned [1,16,4] in layer 0, but block 'mixer' of layer 1 takes [1,16,8]",
      pyramid: `3,222 parameters, 22,776 multiply-adds, runs as a program, ${LEAVES}`,
      far: 'fails before its first step: patchMerge: 4 x 4 patches cannot be merged by 3 x 3',
    })
  })
  it('is that a card takes no tensors of so many axes, where that is so', async () => {
    const stock = tf.getKernel('Transpose', 'cpu')
    const withKernel = (kernel: tf.KernelConfig) => {
      tf.unregisterKernel('Transpose', 'cpu')
      tf.registerKernel(kernel)
    }
    // as those of cards do
    const kernelFunc: tf.KernelFunc = (call) => {
      const rank = (call.inputs.x as tf.TensorInfo).shape.length
      if (rank > 6) throw Error(`GPU for rank ${rank} is not yet supported`)
      return stock.kernelFunc(call)
    }
    withKernel({ ...stock, kernelFunc })
    try {
      expect((await said('webgpu', WIDE)).wide).toBe(
        'fails before its first step: wide:5: einsum: a tensor of 7 axes, more than this backend takes; join some by reshape, or train on simd',
      )
    } finally {
      withKernel(stock)
    }
    for (const backend of ['simd', 'webgpu'] as const) {
      expect((await said(backend, WIDE)).wide).toContain('646 parameters, 8,272 multiply-adds, runs as a program')
    }
  })
  it('is what the backend can do', async () => {
    const { gmlp, odd, pyramid } = await said('webgpu')
    expect([gmlp, odd, pyramid].every((text) => text?.includes('runs as a program'))).toBe(true)
    expect((await said('cpu')).values).toContain('runs operation by operation (cpu has no programs), leaves')
  })
})
