import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { install } from '../../../../engine/backends/webgpu/installed.ts'
import { lowered, type Plan, planOf } from '../../../../engine/backends/webgpu/plan.ts'
import { recordGraph } from '../../../../engine/compile/record.ts'
import { leaveCard, noCard, useNullCard } from './cards.ts'

leaveCard()

/** A plan of two dispatches, the second of which has more workgroups than are allowed. */
async function badPlan(): Promise<Plan> {
  const graph = await recordGraph({ x: { shape: [8, 8], dtype: 'float32' } }, ({ x }) => {
    const y = tf.softmax(x as tf.Tensor)
    return { y: tf.matMul(y, y) }
  })
  const plan = planOf(lowered(graph))
  expect(plan.dispatches).toHaveLength(2)
  return {
    ...plan,
    dispatches: plan.dispatches.map((each, i) => (i === 1 ? { ...each, workgroups: [70000, 1, 1] } : each)),
  }
}

describe.skipIf(noCard)(`what a card says against a submission ${noCard}`, () => {
  it('is told once by the next reading, then by the next submission, and names the dispatch', async () => {
    const { backend } = await useNullCard()
    const installed = install(backend, [await badPlan()])
    await installed.ready()
    await installed.submit(
      2,
      () => {},
      () => {},
    )
    const onCard = tf.tidy(() => tf.square(tf.tensor(new Float32Array(1000))))
    const why =
      /^webgpu: the graphics card refuses dispatch 2 of 2, product 8x8x8: .*70000.*[^.]; backend simd needs no card$/
    await expect(onCard.data()).rejects.toThrow(why)
    expect(await onCard.data()).toHaveLength(1000)
    expect(() =>
      installed.submit(
        2,
        () => {},
        () => {},
      ),
    ).toThrow(why)
    installed.dispose()
    onCard.dispose()
  })

  it('is not told to others once its program is gone', async () => {
    const { backend } = await useNullCard()
    const installed = install(backend, [await badPlan()])
    await installed.ready()
    const done = installed.submit(
      2,
      () => {},
      () => {},
    )
    installed.dispose()
    await done
    await backend.faults.check()
  })

  it('is told of operations outside of a program, too', async () => {
    const { backend } = await useNullCard()
    const x = tf.tidy(() => tf.square(tf.tensor(new Float32Array(1000))))
    const found = backend.valuesOf(x)
    if (!('buffer' in found)) throw new Error('is not on the card')
    found.buffer.destroy()
    const y = tf.square(x)
    const why = /^webgpu: the graphics card refuses operations outside of a program: .*; backend simd needs no card$/
    await expect(y.data()).rejects.toThrow(why)
    expect(await y.data()).toHaveLength(1000)
    tf.dispose([x, y])
  })
})
