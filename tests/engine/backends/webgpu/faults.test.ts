import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { createFaults, type Fault } from '../../../../engine/backends/webgpu/faults.ts'
import type { GpuDevice } from '../../../../engine/backends/webgpu/gpu.ts'
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

it('a card is asked once about equal submissions one after the other, and again after 64', async () => {
  const asked: [number, number] = [0, 0]
  const told: string[] = []
  const card = {
    pushErrorScope: () => {
      asked[0]++
    },
    popErrorScope: async () => {
      asked[1]++
      return { message: 'it has no room' }
    },
  } as unknown as GpuDevice
  const faults = createFaults(card)
  const submit = (to: number, times: number) => {
    const tell = ({ kind }: Fault) => {
      told.push(`${to} ${kind}`)
      return null
    }
    for (let i = 0; i < times; i++) faults.watch({ by: card, from: 0, to }, tell)
  }
  submit(1, 64)
  expect(asked).toEqual([3, 0]) // a scope for each kind
  submit(1, 1)
  submit(2, 1)
  expect(asked).toEqual([9, 6])
  await faults.check()
  expect([asked, told]).toEqual([
    [9, 9],
    ['1 out-of-memory', '1 out-of-memory', '2 out-of-memory'],
  ])
})

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
