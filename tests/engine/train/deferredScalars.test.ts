import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { deferredScalars } from '../../../engine/train/deferredScalars.ts'

describe('readings', () => {
  it('reads in the order of adding, each value once', async () => {
    const unread = deferredScalars()
    tf.tidy(() => unread.add(1, { a: tf.scalar(0.5), b: tf.scalar(2) }))
    tf.tidy(() => unread.add(2, { a: tf.scalar(3) }))
    expect(await unread.readAll()).toEqual([
      { step: 1, name: 'a', value: 0.5 },
      { step: 1, name: 'b', value: 2 },
      { step: 2, name: 'a', value: 3 },
    ])
    tf.tidy(() => unread.add(3, { a: tf.scalar(4) }))
    expect(await unread.readAll()).toEqual([{ step: 3, name: 'a', value: 4 }])
  })
  it('has nothing where nothing was added', async () => {
    expect(await deferredScalars().readAll()).toEqual([])
  })
  it('disposes of what nobody read', () => {
    const before = tf.memory().numTensors
    const unread = deferredScalars()
    tf.tidy(() => unread.add(1, { a: tf.scalar(1) }))
    unread.dispose()
    expect(tf.memory().numTensors).toBe(before)
  })
})
