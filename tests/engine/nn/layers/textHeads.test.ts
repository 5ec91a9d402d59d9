import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compile } from '../../../../engine/compile/compile.ts'
import { bert, gmlp } from '../../../../engine/models/index.ts'
import { assemble, type Ends } from '../../../../engine/nn/frame.ts'
import { createModel, type Model, type TextExtras } from '../../../../engine/nn/model.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'
import type { Block } from '../../../../engine/nn/types.ts'
import { differentiator } from '../../../../engine/train/differentiate.ts'
import { expectSameBits, leaveSimd, taken, useThreads } from '../../compile/setup.ts'

vi.mock('../../../../engine/compile/compile.ts', { spy: true })

const VOCABULARY = 9
const TOKENS = 5
const small = { gmlp: gmlp(), bert: bert({ heads: 2, positions: 8 }) }

function textModel(block: Block, ends: Partial<Ends> = {}): Model {
  const size = resolveSize(block, { dim: 8, depth: 1, ffn: 12 }, 'text')
  const forward = assemble(block, size, 'text', { inputs: VOCABULARY, outputs: VOCABULARY, ...ends })
  return createModel(forward, { shape: [1, TOKENS], dtype: 'int32' }, 1)
}

function outputOf(model: Model, extras: () => TextExtras = () => ({})): { shape: number[]; rows: unknown } {
  const output = tf.tidy(() => model.apply(ids(2), {}, extras()))
  const rows = output.arraySync()
  output.dispose()
  model.dispose()
  return { shape: output.shape, rows }
}

const ids = (batch: number) =>
  tf.tensor(
    Array.from({ length: batch * TOKENS }, (_, i) => i % VOCABULARY),
    [batch, TOKENS],
    'int32',
  )

const names = (model: Model) => {
  model.dispose()
  return model.parameters.map(({ name }) => name)
}

describe('heads of text models', () => {
  it.each(['gmlp', 'bert'] as const)('of %s give logits of the text, of a span, and of tokens', (name) => {
    expect(outputOf(textModel(small[name], { outputs: 3, head: 'class' })).shape).toEqual([2, 3])
    expect(outputOf(textModel(small[name], { outputs: 3, head: 'class', pool: 'mean' })).shape).toEqual([2, 3])
    expect(outputOf(textModel(small[name], { outputs: 2, head: 'span' })).shape).toEqual([2, TOKENS, 2])
    expect(outputOf(textModel(small[name])).shape).toEqual([2, TOKENS, VOCABULARY])
  })

  it('share all but their own parameters with the model of tokens', () => {
    const shared = names(textModel(small.gmlp))
    const of = (block: Block, ends: Partial<Ends>) => names(textModel(block, ends)).filter((n) => !shared.includes(n))
    expect(of(small.gmlp, { outputs: 3, head: 'class' })).toEqual(['classifier.weight', 'classifier.bias'])
    expect(of(small.gmlp, { head: 'span' })).toEqual(['span.weight', 'span.bias'])
    expect(names(textModel(small.gmlp, { outputs: 3, head: 'class' }))).toEqual(expect.arrayContaining(shared))
  })

  it('of bert are named as those of Hugging Face', () => {
    const classifier = names(textModel(small.bert, { outputs: 3, head: 'class' })).slice(-4)
    expect(classifier).toEqual([
      ...['bert.pooler.dense.weight', 'bert.pooler.dense.bias', 'classifier.weight', 'classifier.bias'],
    ])
    expect(names(textModel(small.bert, { head: 'span' })).slice(-2)).toEqual(['qa_outputs.weight', 'qa_outputs.bias'])
  })

  it('leave padding out of the mean', () => {
    const mean = (mask?: number[]) => {
      const model = textModel(small.gmlp, { outputs: 3, head: 'class', pool: 'mean' })
      return outputOf(model, () => (mask ? { mask: tf.tile(tf.tensor2d([mask]), [2, 1]) } : {})).rows
    }
    expect(mean([1, 0, 0, 0, 0])).toEqual(outputOf(textModel(small.gmlp, { outputs: 3, head: 'class' })).rows)
    expect(mean([1, 1, 0, 0, 0])).not.toEqual(mean())
  })

  it('give the rows of the wanted positions', () => {
    const positions = [
      [1, 4, 4],
      [0, 2, 3],
    ]
    const all = outputOf(textModel(small.gmlp)).rows as number[][][]
    const wanted = outputOf(textModel(small.gmlp), () => ({ positions: tf.tensor2d(positions, [2, 3], 'int32') }))
    expect(wanted.rows).toEqual(positions.map((row, i) => row.map((at) => all[i]?.[at])))
  })
})

describe('in a program', () => {
  leaveSimd()
  beforeAll(async () => {
    await useThreads(1)
  })

  it.each([
    ['gmlp', 'class'],
    ['gmlp', 'span'],
    ['gmlp', 'tokens'],
    ['bert', 'class'],
    ['bert', 'span'],
    ['bert', 'tokens'],
  ] as const)('%s, %s: the bits are those of its operations', async (name, head) => {
    const model = textModel(small[name], { head, pool: 'mean' })
    const batch = tf.tidy(() => ({
      input: ids(4),
      mask: tf.tensor(
        Array.from({ length: 20 }, (_, i) => Number(i % TOKENS < 4)),
        [4, TOKENS],
      ),
      ...(head === 'tokens' ? { positions: tf.tensor([0, 2, 1, 3, 4, 4, 0, 1], [4, 2], 'int32') } : {}),
    }))
    const loss = ({ input, ...extras }: tf.NamedTensorMap, mode: object) =>
      tf.mean(tf.square(model.apply(input as tf.Tensor, mode, extras))) as tf.Scalar
    const [found, wanted] = await Promise.all(
      [true, false].map(async (program) => {
        const differences = differentiator(model, loss, { program })
        const { loss: value, gradients } = await differences.run(batch, 0)
        differences.dispose()
        return taken({ value, ...gradients })
      }),
    )
    expect(await vi.mocked(compile).mock.results.at(-1)?.value).not.toBeNull()
    expectSameBits(found ?? {}, wanted ?? {}, head)
    tf.dispose(batch)
    model.dispose()
  })
})
