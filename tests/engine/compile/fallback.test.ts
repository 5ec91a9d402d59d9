import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { compile } from '../../../engine/compile/compile.ts'
import { compiled } from '../../../engine/compile/model.ts'
import { gmlp, plainMlp } from '../../../engine/models/index.ts'
import { block } from '../../../engine/nn/block.ts'
import { dense } from '../../../engine/nn/index.ts'
import { residual } from '../../../engine/nn/layers/residual.ts'
import type { Model } from '../../../engine/nn/model.ts'
import { differentiator, type LossOf } from '../../../engine/train/differentiate.ts'
import { lossOf, smallBatch, smallModel } from './models.ts'
import { expectSameBits, held, leaveSimd, taken, useThreads, type Values } from './setup.ts'

vi.mock('../../../engine/compile/compile.ts', { spy: true })
leaveSimd()
beforeAll(() => useThreads(2))
beforeEach(() => {
  vi.mocked(compile).mockClear()
})

/** Of each code that was to be compiled: why it could not be recorded, or that there is a program. */
async function programs(): Promise<string[]> {
  const found = await Promise.all(vi.mocked(compile).mock.results.map(({ value }) => value))
  return found.map((each) => (each instanceof Error ? each.message : 'program'))
}

/** A model of one block. */
function modelOf(run: (x: tf.Tensor) => tf.Tensor): Model {
  return smallModel(
    block('own', {}, (x) => run(x)),
    'features',
    { depth: 1 },
  )
}

/** Loss and gradients of three steps. */
async function steps(model: Model, program: boolean, loss: LossOf = lossOf(model)): Promise<Record<string, Values>[]> {
  const batch = smallBatch('features', 4)
  const differences = differentiator(model, loss, { program })
  const results: Record<string, Values>[] = []
  for (let step = 0; step < 3; step++) {
    const { loss, gradients } = await differences.run(batch, step)
    results.push(taken({ loss, ...gradients }))
  }
  differences.dispose()
  tf.dispose(batch)
  return results
}

describe('code that cannot be recorded runs operation by operation', () => {
  const outside = {} as { tensor: tf.Tensor; variable: tf.Variable }
  beforeAll(() => {
    outside.tensor = tf.scalar(0.5)
    outside.variable = tf.variable(outside.tensor)
    return () => tf.dispose([outside.tensor, outside.variable])
  })

  const deterministic: [string, (x: tf.Tensor) => tf.Tensor][] = [
    ['reads values of a tensor', (x) => tf.mul(dense(x, 6), 1 + Math.abs(tf.mean(x).dataSync()[0] as number))],
    ['reads values of a tensor', (x) => (tf.max(x).arraySync() === 0 ? dense(x, 6) : tf.neg(dense(x, 6)))],
    [
      'uses Unique, an operation without a shape rule',
      (x) => tf.mul(dense(x, 6), tf.unique(tf.tensor1d([1, 1])).values.size),
    ],
    ['uses a tensor that was made outside of the model', (x) => tf.mul(dense(x, 6), outside.tensor)],
    [
      'assigns a variable that was made outside of the model',
      (x) => {
        outside.variable.assign(tf.mean(x))
        return dense(x, 6)
      },
    ],
  ]
  it.each(deterministic)('%s: the same bits, and nothing is left', async (why, run) => {
    const model = modelOf(run)
    const wanted = await steps(model, false)
    const before = held()
    const found = await steps(model, true)
    expect(await programs()).toEqual([why])
    for (const [step, results] of wanted.entries()) expectSameBits(found[step] ?? {}, results, `step ${step}`)
    expect(held()).toEqual(before)
    model.dispose()
  })

  let calls = 0
  const { random } = Math // as a cell may keep it
  const changing: [title: string, why: string, run: (x: tf.Tensor) => tf.Tensor][] = [
    ['Math.random', 'Math.random() draws other', (x) => tf.add(dense(x, 6), tf.mul(x, Math.random()))],
    ['tf.randomUniform', 'tf.randomUniform draws other', (x) => tf.mul(dense(x, 6), tf.randomUniform(x.shape))],
    ['tf.dropout', 'tf.dropout draws other', (x) => tf.dropout(dense(x, 6), 0.5)],
    ['a kept Math.random', 'gives other numbers', (x) => tf.add(dense(x, 6), tf.mul(x, random()))],
    ['a count of its calls', 'gives other numbers', (x) => tf.add(dense(x, 6), tf.mul(x, ++calls))],
    ['something else each time', 'does other operations', (x) => (++calls % 2 ? tf.neg(dense(x, 6)) : dense(x, 6))],
    [
      'more each time',
      'does other operations',
      (x) => Array.from({ length: ++calls }).reduce<tf.Tensor>(tf.neg, dense(x, 6)),
    ],
  ]
  it.each(changing)('but for %s, which is refused, and nothing is left', async (_, why, run) => {
    const own = { run: dense as (x: tf.Tensor, size: number) => tf.Tensor }
    const model = modelOf((x) => own.run(x, 6))
    own.run = run
    const before = held()
    const batch = smallBatch('features', 4)
    const differences = differentiator(model, lossOf(model))
    await expect(differences.run(batch, 0)).rejects.toThrow(why)
    differences.dispose()
    tf.dispose(batch)
    expect(held()).toEqual(before)
    model.dispose()
  })

  it('has a loss that uses a variable of its model', async () => {
    const model = smallModel(plainMlp, 'features')
    const penalised: LossOf = (batch, mode) => {
      const squares = model.trained.map(({ variable }) => tf.sum(tf.square(variable)))
      return tf.add(lossOf(model)(batch, mode), tf.mul(tf.addN(squares), 0.01)) as tf.Scalar
    }
    const wanted = await steps(model, false, penalised)
    const found = await steps(model, true, penalised)
    expect(await programs()).toEqual(['uses a tensor that was made outside of the model'])
    expectSameBits(found[2] ?? {}, wanted[2] ?? {}, 'penalised')
    model.dispose()
  })

  it('runs on another backend', async () => {
    await tf.setBackend('cpu')
    const model = smallModel(plainMlp, 'features')
    const [found, wanted] = [await steps(model, true), await steps(model, false)]
    expect(await programs()).toEqual([])
    expectSameBits(found[0] ?? {}, wanted[0] ?? {}, 'cpu')
    model.dispose()
    await tf.setBackend('simd')
  })
})

describe('code that is recorded', () => {
  it('may draw what it does not use', async () => {
    const model = smallModel(
      block('own', {}, (x) => {
        residual(x, x)
        return dense(x, 6)
      }),
      'features',
      { dropPath: 0.5, dropPathDecay: 'constant' },
    )
    const wanted = await steps(model, false)
    const before = held()
    const found = await steps(model, true)
    expect(await programs()).toEqual(['program'])
    expectSameBits(found[2] ?? {}, wanted[2] ?? {}, 'step 2')
    expect(held()).toEqual(before)
    model.dispose()
  })

  it('has a program for each of 8 shapes; others run operation by operation', async () => {
    const model = smallModel(plainMlp, 'features')
    const [own, other] = [
      differentiator(model, lossOf(model)),
      differentiator(model, lossOf(model), { program: false }),
    ]
    for (const samples of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 1, 8]) {
      const batch = smallBatch('features', samples)
      const [found, wanted] = [await own.run(batch, 0), await other.run(batch, 0)]
      expectSameBits(taken({ ...found.gradients }), taken({ ...wanted.gradients }), `${samples} samples`)
      tf.dispose([found.loss, wanted.loss, ...Object.values(batch)])
    }
    expect(await programs()).toEqual(Array.from({ length: 8 }, () => 'program'))
    expect(own.fallback()?.reason.message).toBe('has batches of more than 8 shapes')
    for (const each of [own, other, model]) each.dispose()
  })

  it('gives its memory back when it is disposed, and may run again', async () => {
    const model = smallModel(gmlp, 'features')
    await steps(model, false)
    const batch = smallBatch('features', 4)
    const code = compiled<'logits'>(model, { training: false }, ({ input }, { mode }) => ({
      logits: model.apply(input as tf.Tensor, mode),
    }))
    const first = taken(await code.run(batch, 0))
    code.dispose()
    const before = held()
    expectSameBits(taken(await code.run(batch, 0)), first, 'again')
    code.dispose()
    expect(held()).toEqual(before)
    expect((await programs()).length).toBe(2)
    model.dispose()
    tf.dispose(batch)
  })
})

describe('an error', () => {
  let broken = false
  afterEach(() => {
    broken = false
  })

  it('of a block reaches the caller, and nothing is left', async () => {
    const model = modelOf((x) => {
      if (broken) throw new Error('broken')
      return dense(x, 6)
    })
    const wanted = await steps(model, false)
    const before = held()
    broken = true
    const batch = smallBatch('features', 4)
    const differences = differentiator(model, lossOf(model))
    await expect(differences.run(batch, 0)).rejects.toThrow('broken')
    await expect(differences.run(batch, 1)).rejects.toThrow('broken')
    tf.dispose(Object.values(batch))
    expect(held()).toEqual(before)
    broken = false
    expect(await steps(model, true)).toEqual(wanted)
    model.dispose()
  })

  it('of code without gradients leaves nothing of what it did before', async () => {
    const model = smallModel(plainMlp, 'features')
    const batch = smallBatch('features', 4)
    const code = compiled<'logits'>(model, { training: false }, ({ input }, { mode }) => {
      model.apply(input as tf.Tensor, mode)
      throw new Error('broken')
    })
    tf.dispose(tf.tidy(() => model.apply(batch.input)))
    const before = held()
    await expect(code.run(batch, 0)).rejects.toThrow('broken')
    expect(held()).toEqual(before)
    model.dispose()
    tf.dispose(Object.values(batch))
  })

  it('of an operation in a program reaches the caller, nothing is left, and the program goes on', async () => {
    const model = smallModel(gmlp, 'text')
    const good = smallBatch('text', 3)
    const bad = { ...good, input: tf.fill([3, 7], 99, 'int32') }
    const code = compiled<'logits'>(model, { training: false }, ({ input }, { mode }) => ({
      logits: model.apply(input as tf.Tensor, mode),
    }))
    const first = taken(await code.run(good, 0))
    await expect(code.run(bad, 0)).rejects.toThrow('99')
    const before = held()
    const kept = await code.run(good, 0)
    await expect(code.run(bad, 0)).rejects.toThrow('99')
    expectSameBits(taken({ ...kept }), first, 'good batch')
    expect(held()).toEqual(before)
    code.dispose()
    model.dispose()
    tf.dispose([bad.input, ...Object.values(good)])
  })
})
